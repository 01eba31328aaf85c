/**
 * Names, values and defaults of the triggers and the credential, which workflows store: they never
 * change. Those of the action node stand in `contract.test.ts`; all texts in docs/.
 */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

/** `options.match.conditions.field: string ""`, one line for each field. */
function linesOf(property: INodeProperties, path = ''): string[] {
	const { name, type, default: value, options = [] } = property;
	if (type === 'notice') return [];
	const place = `${path}${name}`;
	const inside = (entries: unknown, of: string) =>
		(entries as INodeProperties[]).flatMap((entry) => linesOf(entry, `${of}.`));
	const values = (options as INodePropertyOptions[]).map((each) => each.value).join(' | ');
	const shown = type === 'options' ? values : type;
	return [
		`${place}: ${shown} = ${JSON.stringify(value)}`,
		...(type === 'collection' ? inside(options, place) : []),
		...(type === 'fixedCollection'
			? (options as INodePropertyCollection[]).flatMap((group) =>
					inside(group.values, `${place}.${group.name}`),
				)
			: []),
	];
}

test.each<[string, INodeProperties[]]>([
	['trigger', new MessagingGatewayTrigger().description.properties],
	['status trigger', new MessagingGatewayStatusTrigger().description.properties],
	['credential', new MessagingGatewayApi().properties],
])('what a workflow stores of the %s', (_, properties) => {
	expect(properties.flatMap((property) => linesOf(property))).toMatchSnapshot();
});
