import { inProcess } from '../../../nodes/gateway/maps';
import {
	jsonOf,
	mostAtOnce,
	numbers,
	useGateway,
	type ActionId,
	type ActionOptions,
} from './support';
/** How fast messages leave through a chat-app instance. */

const gateway = useGateway();
beforeEach(() => inProcess.clear()); // no pause after the message of another test
const requests = () => gateway.sandbox.requests();
const count = () => requests().length;
const onError = 'continueRegularOutput';

/** In seconds: the shortest that a busy machine can't make by itself. */
const credential = { chatAppPause: '0.08-0.12' };
const leastMs = 80;

const start = async (id: ActionId, action: ActionOptions = {}) =>
	await gateway.start(id, { credential, ...action });
const run = async (id: ActionId, action?: ActionOptions) =>
	await (
		await start(id, action)
	).finished;

/** How long after the answer to the one before each request came, in ms. */
const gaps = () =>
	requests()
		.slice(1)
		.map(({ at }, index) => at - requests()[index]!.answeredAt!);

const expectPaced = () => expect(Math.min(...gaps())).toBeGreaterThanOrEqual(leastMs - 1);

describe('messages of a list', () => {
	it.each<ActionId>(['sendMedia', 'sendAudio'])('of %s leave one after another', async (id) => {
		const items = numbers(6);
		gateway.sandbox.fault({ fault: { delayMs: 30 } });
		expect(jsonOf(await run(id, { items }))).toMatchObject(items);
		expect(count()).toBe(6);
		expectPaced();
		expect(gateway.sandbox.accepted().map(({ to }) => to)).toEqual(items.map(({ to }) => to));
	});

	it('through the shared instance leave up to ten at a time', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 100 } });
		await run('sendAudio', { items: numbers(20), options: { chatAppMode: 'shared' } });
		expect(mostAtOnce(requests())).toBeGreaterThan(1);
		expect(mostAtOnce(requests())).toBeLessThanOrEqual(10);
	});
});

describe('executions', () => {
	it('of one instance leave one at a time, whatever they send and with whichever key', async () => {
		const items = numbers(3);
		const other = { ...credential, apiKey: 'another' };
		gateway.sandbox.fault({ fault: { delayMs: 20 } });
		await Promise.all([
			run('sendMedia', { items }),
			run('sendAudio', { items }),
			run('sendMedia', { items, credential: other, onError }),
		]);
		expect(count()).toBe(9);
		expectPaced();
	});
});

it('a pause that is none is refused, and SMS are sent', async () => {
	const credential = { chatAppPause: 'soon' };
	const { error } = await run('sendMedia', { credential });
	expect(error?.message).toBe(
		"'Pause Between Messages' in the Messaging Gateway credential is not a number of seconds: 'soon'",
	);
	expect(error?.description).toMatch(/^Enter seconds: /);
	expect(count()).toBe(0);
	expect((await run('sendSms', { credential })).error).toBeUndefined();
});
