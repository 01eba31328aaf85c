/**
 * `npx tsx tools/bench/recipientZone.ts`, after `npm run build`: the CPU time of a list of 1,000 SMS whose
 * hours are those of the recipients' time zones, as a multiple of that with a zone by name. Ends with an
 * error where it is more than it may be.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { packageFolder } from '../host/paths';
import { credential, makeContext } from '../shared/context';

const [count, rounds, limit] = [1_000, 40, 1.05];

const dist = path.join(packageFolder, 'dist');
const exported = createRequire(path.join(dist, 'package.json'))(
	'./nodes/MessagingGateway/MessagingGateway.node.js',
) as Record<string, new () => INodeType>;
const action = new exported.MessagingGateway!();

/** Makes mobile numbers of one country each. */
const lists: Record<string, (index: number) => string> = {
	Brazil: (index) => `+55119${91230001 + index}`,
	'the United States': (index) => `+1212${2000001 + 7 * index}`,
	Russia: (index) => `+7916${1230001 + index}`,
	'ten countries': (index) =>
		[
			...[`+55119${91230001 + index}`, `+1212${2000001 + 7 * index}`, `+7916${1230001 + index}`],
			...[`+61412${100000 + index}`, `+628123${1230001 + index}`, `+5255${12341000 + index}`],
			...[`+447400${120000 + index}`, `+49151${23400000 + index}`, `+54911${23451000 + index}`],
			`+346121${10000 + index}`,
		][index % 10]!,
};

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const windows = { values: [{ from: '00:00', to: '24:00', days }] };

/** Returns the CPU time of a list, in µs. */
async function timeOf(numberOf: (index: number) => string, timezone: string): Promise<number> {
	const options = { sendBetween: { values: { windows, timezone } } };
	const parameters = { resource: 'message', operation: 'sendSms', text: 'Hello', options };
	const items = Array.from({ length: count }, (_, index) => ({
		...parameters,
		to: numberOf(index),
	}));
	const body = JSON.stringify({ success: true, messageId: 'm-1', status: 'queued' });
	const context = makeContext({
		items,
		parameters: { ...parameters, to: '={{ $json.to }}' } as never,
		credential: { ...credential, itemFields: 'itemFields' } as never,
		http: async () => ({ statusCode: 200, headers: {}, body }),
	});
	const before = process.cpuUsage();
	const output = (await action.execute!.call(context)) as unknown[][];
	const { user, system } = process.cpuUsage(before);
	if (output[0]!.length !== count) throw new Error('Not all were sent');
	return user + system;
}

const medianOf = (values: number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

async function main(): Promise<void> {
	for (const [name, numberOf] of Object.entries(lists)) {
		const [named, own]: [number[], number[]] = [[], []];
		for (let round = 0; round < rounds; round++) {
			named.push(await timeOf(numberOf, 'America/Sao_Paulo'));
			own.push(await timeOf(numberOf, 'recipient'));
		}
		const ratio = medianOf(own) / medianOf(named);
		const each = (medianOf(named) / 1_000 / count).toFixed(3);
		console.log(`${name}: ${ratio.toFixed(3)} of ${each} ms of CPU each`);
		if (ratio > limit) process.exitCode = 1;
	}
}

void main();
