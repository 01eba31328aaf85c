import { runInNewContext } from 'node:vm';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

const { description } = new MessagingGatewayTrigger();

test('workflows depend on these names', () => {
	expect(description).toMatchObject({ name: 'messagingGatewayTrigger', version: 2, inputs: [] });
	expect(description.webhooks).toMatchObject([
		{ httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived', responseData: '' },
	]);
});

test.each([
	[{}, 'every delivery'],
	[{ match: {} }, 'every delivery'],
	[{ match: { conditions: [] } }, 'every delivery'],
	[{ match: { conditions: [{ field: 'status', value: 'sent' }] } }, 'deliveries that match'],
])('with the options %j, the node is subtitled %s', (options, expected) => {
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(description.subtitle!)!;
	expect(runInNewContext(expression!, { $parameter: { options } })).toBe(expected);
});
