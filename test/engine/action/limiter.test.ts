/** A service that takes fewer requests than there are items. */
import {
	jsonOf,
	moment,
	mostAtOnce,
	numbers,
	until,
	useGateway,
	type ActionOptions,
} from './support';

const gateway = useGateway();
const accepted = () => gateway.sandbox.accepted().length;
const count = () => gateway.sandbox.requests().length;

// What an account's limit does, with the rules as they come: not the `maxRetries: 0` of these tests.
const rules = { maxRetries: 3 };

describe.each([undefined, 1])('a limit per second, Retry-After: %s', (retryAfter) => {
	it('delays messages, and loses or repeats none', async () => {
		gateway.sandbox.fault({ perSecond: 8, fault: { tooMany: true, retryAfter } });
		const items = numbers(20);
		const run = await gateway.run('sendSms', { items, rules });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toMatchObject(items);
		for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
		expect(count()).toBeLessThanOrEqual(2 * items.length);
	});
});

describe('a service that wants to be left alone for more than a minute', () => {
	const items = numbers(30);
	beforeEach(() => gateway.sandbox.fault({ skip: 5, fault: { tooMany: true, retryAfter: 600 } }));

	it('ends the run, and the error says for how long', async () => {
		const { error } = await gateway.run('sendSms', { items, rules });
		expect(error?.message).toMatch(/too many requests/);
		expect(error?.description).toContain('10 minutes');
		expect(error?.description).toContain('5 of 30 items were sent');
		expect(accepted()).toBe(5);
		expect(count()).toBeLessThanOrEqual(15); // those under way when it said so
	});

	it('gets no more requests with Continue either', async () => {
		const onError = 'continueRegularOutput';
		const run = await gateway.run('sendSms', { items, rules, onError });
		const failed = jsonOf(run).filter(({ error }) => error);
		expect(failed).toHaveLength(25);
		for (const { error } of failed) {
			expect(error).toMatchObject({
				outcome: 'refused',
				hint: 'The service asks for a pause of 10 minutes. After that, go on with what was not accepted.',
			});
		}
		expect(count()).toBeLessThanOrEqual(18); // likewise, and until the fourth number was refused
	});
});

describe('executions of one account', () => {
	const run = async (action: ActionOptions) =>
		await gateway.run('sendSms', { items: numbers(1), ...action });

	it('share Max Concurrency, which holds for the lists of both', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 20 } });
		const two = { items: numbers(8), rules: { maxConcurrency: 2 } };
		await Promise.all([run(two), run(two), run(two)]);
		expect(count()).toBe(24);
		expect(mostAtOnce(gateway.sandbox.requests())).toBe(2);
	});

	it.each(['sendSms', 'getWebhook'] as const)(
		'wait for no place once they are stopped, and take none: %s',
		async (id) => {
			gateway.sandbox.fault({ times: 1, fault: { delayMs: 500 } });
			const one = { items: numbers(1), rules: { maxConcurrency: 1 } };
			const first = gateway.run(id, one);
			await until(() => count() === 1);
			const waiting = await gateway.start(id, one);
			await moment();
			waiting.cancel();
			expect((await waiting.finished).status).toBe('canceled');
			expect(gateway.sandbox.requests()[0]!.answeredAt).toBeNull();
			await Promise.all([first, gateway.run(id, one)]);
			expect(count()).toBe(2);
		},
	);

	it('share a pause of more than a minute, Retry On Fail included', async () => {
		gateway.sandbox.fault({ times: 1, fault: { tooMany: true, retryAfter: 3600 } });
		const first = await run({ rules, retryOnFail: true });
		const second = await run({});
		for (const { error } of [first, second]) {
			expect(error?.message).toMatch(/too many requests/);
			expect(error?.description).toContain('60 minutes');
		}
		expect(count()).toBe(1);
	});
});

it('the limit of media, a 503, leaves SMS alone', async () => {
	const body = { success: false, message: 'Ocupado.' };
	gateway.sandbox.fault({ operation: 'sendMedia', fault: { status: 503, body } });
	const media = await gateway.start('sendMedia', { items: numbers(30), rules });
	let isOver = false;
	const ended = media.finished.then(() => (isOver = true));
	await until(() => count() > 10);
	const run = await gateway.run('sendSms', { rules });
	expect(run.error).toBeUndefined();
	expect(isOver).toBe(false);
	media.cancel();
	await ended;
});

it.each([undefined, 3])(
	'the limit of one number, Retry-After: %j, uses up its retries and holds up nobody',
	async (retryAfter) => {
		const { to } = numbers(8)[7]!;
		const onError = 'continueRegularOutput';
		gateway.sandbox.fault({ to, fault: { tooMany: true, retryAfter } });
		const beside = gateway.run('sendSms', { items: numbers(150).slice(50), rules });
		const run = await gateway.run('sendSms', { items: numbers(30), rules, onError });
		expect((await beside).error).toBeUndefined();
		expect(jsonOf(run).filter(({ error }) => error)).toHaveLength(1);
		const tries = gateway.sandbox.requests({ to });
		expect(tries).toHaveLength(4);
		expect(count()).toBe(100 + 29 + 4);
		const last = Math.max(...gateway.sandbox.accepted().map(({ at }) => at));
		if (retryAfter) expect(last).toBeLessThan(tries.at(-1)!.at);
	},
);
