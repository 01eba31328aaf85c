/** What no workflow can bring about: an operation that breaks its promises. */
import type { Operation } from '../../../nodes/MessagingGateway/operation';
import { runOperation } from '../../../nodes/MessagingGateway/run/runOperation';
import { makeContext } from '../support/context';
import { Store } from '../support/store';
import { send } from './send';

const broken: Operation = {
	...send,
	request: async (item) => ({
		...(await send.request(item)),
		output() {
			throw new Error('Broken');
		},
	}),
};

test('a message whose answer cannot be made output of is not sent again', async () => {
	const store = new Store();
	let requests = 0;
	const context = () =>
		Object.assign(
			makeContext({
				items: [{ to: '5511912345678', key: 'order-1' }],
				continueOnFail: true,
				deduplication: store.helpers,
				http: async () => {
					requests++;
					return { statusCode: 200, headers: {}, body: '{"success":true,"messageId":"m-1"}' };
				},
			}),
			{ getExecutionId: () => '1' },
		);
	await runOperation(context(), broken);
	const [[item] = []] = await runOperation(context(), broken);
	expect(requests).toBe(1);
	expect(item?.json.error).toMatchObject({
		message: expect.stringContaining('may have been sent'),
		outcome: 'unknown',
	});
});
