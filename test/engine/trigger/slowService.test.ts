/** Triggers of several accounts at a service that does not answer: nobody waits for the others for long. */
import { longestWaitMs } from '../../../nodes/MessagingGatewayTrigger/registration/register';
import { SEEDS } from '../../../tools/sandbox';
import { expectFailure, foreign, left, TriggerWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
const otherKey = { apiKey: SEEDS.apiKeys[1]!.key };

/** Ends the waits for other accounts; the limits of requests are another time, and stay. */
let endWaits: () => void;
/** Lets the slow requests go. */
let answer: () => void;
let answered: Promise<void>;

beforeEach(() => {
	sandbox().webhook = { url: foreign, enabled: true };
	const waits: AbortController[] = [];
	endWaits = () => waits.forEach((wait) => wait.abort());
	const original = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		if (ms !== longestWaitMs) return original(ms);
		const wait = new AbortController();
		waits.push(wait);
		return wait.signal;
	});
	answered = new Promise((resolve) => (answer = resolve));
});
afterEach(() => jest.restoreAllMocks());

const workflow = (id: string, options: TriggerWorkflow['options'] = {}) =>
	new TriggerWorkflow(sandbox(), id, { conflict: 'takeOver', ...options });

const turnOfOthers = async () => {
	for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
};

/** Begins to publish a workflow, whose first request hangs. */
async function publishSlowly(options: TriggerWorkflow['options'] = {}) {
	const slow = workflow('slow', { ...options, onRequest: async () => await answered });
	const published = slow.publish();
	await turnOfOthers();
	return { slow, published };
}

it.each(['publish', 'listen'] as const)(
	'to %s fails with what it has waited for, and changes nothing',
	async (action) => {
		const { published } = await publishSlowly();
		const other = workflow('other', { credential: otherKey });
		const failure = expectFailure(other[action]());
		await turnOfOthers();
		endWaits();
		const { message } = await failure;
		expect(message).toContain('other triggers of this n8n are still waiting for it');
		expect(message).toContain('Publish this workflow, or start its test, again in a minute');
		expect(sandbox().requests()).toEqual([]);
		answer();
		await published;
		expect(left(sandbox())).toBe('production of slow');
	},
);

it('is published as usual once the others are done in time', async () => {
	const { published } = await publishSlowly();
	const other = workflow('other').publish();
	await turnOfOthers();
	answer();
	await Promise.all([published, other]);
	endWaits();
	expect(left(sandbox())).toBe('production of other');
});

it('gives the webhook back while triggers with other keys wait', async () => {
	const other = workflow('other', { credential: otherKey });
	await other.publish();
	const { published } = await publishSlowly();
	const unpublished = other.unpublish();
	await turnOfOthers();
	expect(left(sandbox())).toBe('production of other');
	endWaits();
	await unpublished;
	expect(left(sandbox())).toBe(foreign);
	answer();
	await published;
	expect(left(sandbox())).toBe('production of slow');
});

it('gives the webhook back after its own publication, however long that takes', async () => {
	const { slow, published } = await publishSlowly();
	let isDone = false;
	const unpublished = slow.unpublish().then(() => (isDone = true));
	await turnOfOthers();
	endWaits();
	await turnOfOthers();
	expect(isDone).toBe(false);
	answer();
	await Promise.all([published, unpublished]);
	expect(left(sandbox())).toBe(foreign);
});
