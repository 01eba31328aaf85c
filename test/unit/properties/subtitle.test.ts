import { buildSubtitle, buildWaitingTooltip } from '../../../nodes/MessagingGateway/form';
import { resources } from '../../../nodes/MessagingGateway/operations';

/** Evaluates an expression as n8n does: `{{ … }}` is JavaScript that knows `$parameter`. */
const evaluate = (expression: string, $parameter: object): unknown =>
	new Function('$parameter', `return ${/^=\{\{(.*)\}\}$/.exec(expression)![1]}`)($parameter);

const subtitle = ($parameter: object): unknown => evaluate(buildSubtitle(resources), $parameter);

test.each(
	resources.flatMap((resource) =>
		resource.operations.map((operation) => [resource, operation] as const),
	),
)('the subtitle is the name in the form', (resource, operation) => {
	const selected = { resource: resource.value, operation: operation.value };
	expect(subtitle(selected)).toBe(`${resource.name}: ${operation.name}`);
});

test('what waits says so, and nothing else', () => {
	const said = resources.flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ value: operation }) =>
				evaluate(buildWaitingTooltip(resources), { resource, operation }),
			)
			.map(({ value }) => value),
	);
	expect(said).toEqual(['sendAndWait']);
});
