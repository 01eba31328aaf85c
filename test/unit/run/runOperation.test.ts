/** What no workflow can bring about: an operation that breaks its promises. */
import type { Operation } from '../../../nodes/MessagingGateway/operation';
import { runOperation } from '../../../nodes/MessagingGateway/run/runOperation';
import { makeContext } from '../support/context';
import { Store } from '../support/store';

const operation = (output: () => never): Operation => ({
	value: 'send',
	name: 'Send',
	action: 'Send',
	description: '',
	fields: [],
	idempotent: false,
	uncertainty: { mayHave: 'The message may have been sent', check: 'Look it up.' },
	request: () => ({
		method: 'POST',
		path: '/v1/sms/enviar',
		body: {},
		expected: 'sent',
		recipient: '5511912345678',
		deduplicationKey: 'order-1',
		output,
	}),
});

test('a message whose answer cannot be made output of is not sent again', async () => {
	const store = new Store();
	let requests = 0;
	const context = () =>
		Object.assign(
			makeContext({
				continueOnFail: true,
				deduplication: store.helpers,
				http: async () => {
					requests++;
					return { statusCode: 200, headers: {}, body: '{"success":true,"messageId":"m-1"}' };
				},
			}),
			{ getExecutionId: () => '1' },
		);
	const broken = operation(() => {
		throw new Error('Broken');
	});
	await runOperation(context(), broken);
	const [[item] = []] = await runOperation(context(), broken);
	expect(requests).toBe(1);
	expect(item?.json.error).toMatchObject({
		message: expect.stringContaining('may have been sent'),
		outcome: 'unknown',
	});
});
