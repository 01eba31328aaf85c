/** n8n's 'Retry On Fail' runs the whole node again, with all items; nothing may be sent twice. */
import { jsonOf, numbers, useGateway } from './support';

const gateway = useGateway();

const setting = { retryOnFail: true };
const items = numbers(6);

it('is not begun by a service that says of what it accepted that there was no error', async () => {
	const body = [{ success: true, messageId: 'm-1', status: 'pending', error: '' }];
	gateway.sandbox.fault({ to: items[0]!.to, fault: { status: 200, body, accept: true } as never });
	const run = await gateway.run('sendSms', { items, ...setting });
	expect(jsonOf(run)).toMatchObject(items);
	expect(gateway.sandbox.requests()).toHaveLength(items.length);
});

it('works with Continue, where n8n tries again only because of the first item', async () => {
	gateway.sandbox.fault({ to: items[0]!.to, times: 1, fault: { status: 400 } });
	const onError = 'continueRegularOutput';
	const run = await gateway.run('sendSms', { items, onError, ...setting });
	expect(jsonOf(run)).toMatchObject(items);
	for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
});
