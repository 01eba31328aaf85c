const anyOf = (list: string): string => `(?:${list.trim().split(/\s+/).join('|')})`;

/** Matches the name of a variable, a field or a method. */
const identifierPattern = String.raw`[\p{L}\p{N}_$]+`;
const wordEnd = String.raw`(?![\p{L}\p{N}_$])`;
const textPattern = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;

/** `$input` and `$('…')`: what else they have, such as `params`, is evaluated anew. */
const nodePattern = String.raw`(?:\$input|\$\(\s*${textPattern}\s*\))`;

const lastingFunctions = anyOf(String.raw`
	\$items \$if \$ifEmpty \$jmespath \$jmesPath \$max \$min String Number Boolean parseInt
	parseFloat isNaN encodeURIComponent decodeURIComponent Array\.from Array\.isArray JSON\.parse
	JSON\.stringify Number\.isFinite Number\.isInteger Number\.isNaN Number\.parseFloat
	Number\.parseInt Object\.entries Object\.fromEntries Object\.keys Object\.values Math\.abs
	Math\.ceil Math\.floor Math\.max Math\.min Math\.pow Math\.round Math\.sign Math\.sqrt
	Math\.trunc
`);

/**
 * Methods of texts, numbers, lists and objects, n8n's own included. None of dates: even `toDateTime`
 * and `fromFormat` take today where the text has only a time.
 */
const lastingMethods = anyOf(`
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

/** Returns an expression that matches one of these where the search begins, with the space before it. */
const tokenPattern = (...alternatives: string[]) =>
	new RegExp(`\\s*(?:${alternatives.join('|')})`, 'uy');

/** The first matches what may stand before a value, the second a value. */
const prefixToken = tokenPattern(
	String.raw`[!([{]|\.\.\.|[+-](?![+-])|typeof\s`,
	String.raw`(?<=[{,]\s*)${identifierPattern}\s*:`, // of an object; elsewhere, it is a choice
	String.raw`${lastingFunctions}\s*\(|${nodePattern}\.(?:all|first|last|itemMatching)\s*\(`,
);
const valueToken = tokenPattern(
	String.raw`[)\]}]`, // ends an empty list
	String.raw`\d+(?:\.\d+)?${wordEnd}|${textPattern}`,
	String.raw`\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`,
	String.raw`(?:\$json|null|true|false|undefined|NaN|Infinity|String|Number|Boolean)${wordEnd}`,
	String.raw`${nodePattern}\.(?:item|pairedItem)${wordEnd}`,
	String.raw`\$node(?:\.${identifierPattern}|\[\s*${textPattern}\s*\])\.(?:json|binary|data)${wordEnd}`,
);

/** The first matches what continues a value, the second what leads to the next one. */
const memberToken = tokenPattern(
	String.raw`[)\]}]`,
	String.raw`\??\.${identifierPattern}${wordEnd}(?!\s*\()`,
);
const operatorToken = tokenPattern(
	String.raw`\??\.${lastingMethods}\s*\(|(?:\?\.)?\[`,
	String.raw`[=!]==?|[<>]=?|&&|\|\||\?\?|[+-](?![+-])|[*%,:]|\/(?![*/])|\?(?!\.)`,
);

/**
 * Whether what was entered gives the same in a later execution with the same items: it reads only data of items,
 * and applies only functions that depend on nothing else. False when in doubt, as with a template.
 */
export function isLasting(entered: string): boolean {
	if (!entered.startsWith('=')) return true;
	if (/\\[{}]/.test(entered)) return false; // n8n lets brackets be escaped
	return [...entered.matchAll(/\{\{([^]*?)(?:\}\}|$)/g)].every(([, code = '']) =>
		isLastingCode(code.trim()),
	);
}

/** Reads code word by word, each of which has to be known where it is. */
function isLastingCode(code: string): boolean {
	let at = 0;
	let isBehindValue = false;
	const reads = (expected: RegExp): boolean => {
		expected.lastIndex = at;
		const isRead = expected.test(code);
		if (isRead) at = expected.lastIndex;
		return isRead;
	};
	while (at < code.length) {
		const [more, next] = isBehindValue ? [memberToken, operatorToken] : [prefixToken, valueToken];
		if (reads(next)) isBehindValue = !isBehindValue;
		else if (!reads(more)) return false;
	}
	return isBehindValue;
}
