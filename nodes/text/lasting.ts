import { parseJavaScript, type AnyNode } from './bundled';

/** The members of `$input` and `$('…')` that last; the rest, such as `params`, is evaluated anew. */
const itemsOfNode = words('item first last all itemMatching pairedItem');

/** The members of `$node['…']` that last. */
const dataOfNode = words('json binary data');

const lastingNames = words('$json undefined NaN Infinity String Number Boolean');

const lastingFunctions = words(
	'$items $if $ifEmpty $jmespath $jmesPath $max $min String Number Boolean parseInt parseFloat isNaN encodeURIComponent decodeURIComponent',
);

const lastingFunctionsOf: Partial<Record<string, Set<string>>> = {
	Array: words('from isArray'),
	JSON: words('parse stringify'),
	Math: words('abs ceil floor max min pow round sign sqrt trunc'),
	Number: words('isFinite isInteger isNaN parseFloat parseInt'),
	Object: words('entries fromEntries keys values'),
};

/**
 * Methods of texts, numbers, lists and objects, n8n's own included. None of dates: even `toDateTime`
 * and `fromFormat` take today where the text has only a time.
 */
const lastingMethods = words(`
	all first last item itemMatching at concat includes indexOf lastIndexOf slice toString
	charAt charCodeAt codePointAt endsWith match normalize padEnd padStart repeat replace
	replaceAll search split startsWith substr substring toFixed toLowerCase toUpperCase trim
	trimEnd trimStart every filter find findIndex findLast flat flatMap join map reduce reverse
	some sort abs average base64Decode base64Encode ceil chunk compact difference
	extractDomain extractEmail extractUrl extractUrlPath floor hasField hash intersection
	isEmpty isEven isNotEmpty isNumeric isOdd keepFieldsContaining keys max merge min parseJson
	pluck quote removeDuplicates removeField removeMarkdown removeTags renameKeys
	replaceSpecialChars round smartJoin sum toBoolean toDecimalNumber toFloat toInt
	toJsonString toNumber toSentenceCase toSnakeCase toTitleCase toWholeNumber union unique
	urlDecode urlEncode values
`);

function words(text: string): Set<string> {
	return new Set(text.trim().split(/\s+/));
}

/**
 * Whether an expression gives the same in a later execution with the same items: it reads only data
 * of items, and applies only functions that depend on nothing else. False when in doubt, as with
 * functions of its own.
 *
 * @param entered as n8n stores it: an expression begins with `=`
 */
export function isLasting(entered: string): boolean {
	if (!entered.startsWith('=')) return true;
	if (/\\[{}]/.test(entered)) return false; // n8n lets brackets be escaped
	return [...entered.matchAll(/\{\{([^]*?)(?:\}\}|$)/g)].every(([, code = '']) => {
		try {
			const [statement, more] = parseJavaScript(`(${code}\n)`, { ecmaVersion: 'latest' }).body;
			return (
				!more && statement?.type === 'ExpressionStatement' && isLastingNode(statement.expression)
			);
		} catch {
			return false; // no JavaScript, or nested too deeply
		}
	});
}

const identifierOf = (node: AnyNode) => (node.type === 'Identifier' ? node.name : undefined);

/** The kinds of nodes that last if what is in them does. */
const plainNodes = words(`
	Literal TemplateLiteral TemplateElement ChainExpression UnaryExpression SpreadElement
	BinaryExpression LogicalExpression ConditionalExpression ArrayExpression ObjectExpression
`);

/** Returns the nodes right below a node. */
const nodesIn = (node: AnyNode): AnyNode[] =>
	Object.values(node)
		.flat()
		.filter((each): each is AnyNode => typeof each?.type === 'string');

function isLastingNode(node: AnyNode): boolean {
	switch (node.type) {
		case 'Identifier':
			return lastingNames.has(node.name);
		case 'Property':
			return (!node.computed || isLastingNode(node.key)) && isLastingNode(node.value);
		case 'MemberExpression': {
			const { object, property } = node;
			const name = memberOf(node);
			if (identifierOf(object) === '$input') return itemsOfNode.has(name);
			if (object.type === 'CallExpression' && identifierOf(object.callee) === '$') {
				return itemsOfNode.has(name) && object.arguments.every(isLastingNode);
			}
			if (object.type === 'MemberExpression' && identifierOf(object.object) === '$node') {
				return dataOfNode.has(name) && (!object.computed || isLastingNode(object.property));
			}
			return isLastingNode(object) && (!node.computed || isLastingNode(property));
		}
		case 'CallExpression': {
			const { callee } = node;
			if (!node.arguments.every(isLastingNode)) return false;
			if (callee.type !== 'MemberExpression')
				return lastingFunctions.has(identifierOf(callee) ?? '');
			const name = memberOf(callee);
			const ofFunctions = lastingFunctionsOf[identifierOf(callee.object) ?? ''];
			return ofFunctions?.has(name) ?? (lastingMethods.has(name) && isLastingNode(callee));
		}
		default:
			return plainNodes.has(node.type) && nodesIn(node).every(isLastingNode);
	}
}

/** Returns the name of a member, if it is written out; else an empty text. */
function memberOf({ computed, property }: AnyNode & { type: 'MemberExpression' }): string {
	if (!computed) return property.type === 'Identifier' ? property.name : '';
	return property.type === 'Literal' ? String(property.value) : '';
}
