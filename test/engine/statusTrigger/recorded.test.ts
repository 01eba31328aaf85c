/** One change of each event, as its page shows it. UPDATE_DOCS=1 records them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	asEachTime,
	exchangeOf,
	readRecording,
	writeRecording,
	type EventRun,
} from '../../../tools/documentation/recordings';
import { events } from '../../../nodes/MessagingGatewayStatusTrigger/form';
import { SEEDS, startSandbox, type Sandbox } from '../../../tools/sandbox';
import { startPolling } from '../harness';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ keepAnswers: true });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

interface Case {
	event: string;
	parameters: INodeParameters;
	/** Each changes something at the service, and is followed by a poll. */
	steps: Array<() => unknown>;
}

const campaignIds = SEEDS.campaigns.sms.running;
const ofSms = { channel: 'sms', campaignIds };

/** An SMS, without the node. */
const send = async () =>
	await fetch(`${sandbox.url}/v1/sms/enviar`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': sandbox.credential.apiKey },
		body: JSON.stringify({ to: '5511912345678', msg: 'Olá', tiposms: '1' }),
	});
const advance = async () => await sandbox.advance();
const disconnect = () => (sandbox.instance.connected = false);
const nothing = () => undefined;

const cases: Case[] = [
	{ event: 'campaignFinished', parameters: ofSms, steps: [send, advance, advance] },
	{ event: 'connectionChanged', parameters: {}, steps: [disconnect, nothing] },
	{ event: 'messageStatusChanged', parameters: ofSms, steps: [send, advance] },
];

const runs: EventRun[] = [];

it.each(cases)('$event', async ({ event, parameters, steps }) => {
	const { executions, failedExecutions, tick } = await startPolling({
		...{ node: 'messagingGatewayStatusTrigger', workflowId: event, staticData: {} },
		parameters: { event, ...parameters },
		credential: sandbox.credential as never,
	});
	let before = 0;
	let output: IDataObject[] = [];
	for (const step of steps) {
		await step();
		before = sandbox.requests().length;
		await tick();
		output = executions.splice(0).flatMap((items) => items.map(({ json }) => json));
	}
	expect(failedExecutions).toEqual([]);
	expect(output).not.toEqual([]);
	const exchanges = sandbox.requests().slice(before).map(exchangeOf);
	runs.push({ event, parameters, exchanges, output });
});

it('the documentation shows these changes of all events', () => {
	const seen = asEachTime(runs);
	expect(seen.map(({ event }) => event)).toEqual(events.map(({ value }) => value));
	if (process.env.UPDATE_DOCS) writeRecording('events', seen);
	expect(seen).toEqual(readRecording('events')); // `npm run docs` makes pages of it
});
