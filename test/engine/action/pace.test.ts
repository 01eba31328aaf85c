import { inProcess } from '../../../nodes/gateway/maps';
import {
	hintsOf,
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
		gateway.sandbox.fault({ fault: { delayMs: 300 } });
		await run('sendAudio', { items: numbers(40), options: { chatAppMode: 'shared' } });
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

describe('n8n shows', () => {
	it.each([
		['', 'about 7 minutes'],
		['5-30', 'about 59 minutes'],
		['0.1', 'about 20 seconds'],
	])('how long a dry run would take with a pause of %j: %s', async (chatAppPause, time) => {
		const items = numbers(200);
		const dry = { items, credential: { chatAppPause }, options: { dryRun: true } };
		expect(hintsOf(await run('sendMedia', dry))).toMatchObject([
			{
				message: `Dry run: nothing was sent. 200 of 200 would be sent. This would take ${time}: chat-app messages leave one at a time, with a pause between.`,
			},
		]);
	});

	it('how long a list took', async () => {
		const slow = { items: numbers(3), credential: { chatAppPause: '1' } };
		expect(hintsOf(await run('sendMedia', slow))).toMatchObject([
			{ message: expect.stringMatching(/^Sent 3 of 3\. This took about \d+ seconds: /) },
		]);
	});

	it.each(['0', '0.05'])('nothing of that where it is short: %s', async (chatAppPause) => {
		const list = { items: numbers(3), credential: { chatAppPause } };
		expect(hintsOf(await run('sendMedia', list))).toMatchObject([{ message: 'Sent 3 of 3.' }]);
	});
});
