import { buildSubtitle } from '../../../nodes/MessagingGateway/properties';
import { resources } from '../../../nodes/MessagingGateway/resources';

/** Evaluates the expression as n8n does: `{{ … }}` is JavaScript that knows `$parameter`. */
const subtitle = ($parameter: object): unknown =>
	new Function('$parameter', `return ${/^=\{\{(.*)\}\}$/.exec(buildSubtitle(resources))![1]}`)(
		$parameter,
	);

test.each(
	resources.flatMap((resource) =>
		resource.operations.map((operation) => [resource, operation] as const),
	),
)('each operation stands under the node as it does in the form', (resource, operation) => {
	const selected = { resource: resource.value, operation: operation.value };
	expect(subtitle(selected)).toBe(`${resource.name}: ${operation.name}`);
});
