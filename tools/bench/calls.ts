/**
 * `npx tsx tools/bench/calls.ts`, after `npm run build`: how many calls of functions in nodes/, and
 * through how many of its files, one SMS takes from its item to its request, and one poll.
 */
import { createRequire } from 'node:module';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { packageFolder } from '../host/paths';
import { credential, makeContext } from '../shared/context';
import { makePollContext } from '../shared/pollContext';

const dist = path.join(packageFolder, 'dist');
const built = createRequire(path.join(dist, 'package.json'));

function loadNode(name: string): INodeType {
	const exported = built(`./nodes/${name}/${name}.node.js`) as Record<string, new () => INodeType>;
	return new exported[name]!();
}

/** Runs once to load and to fill caches, and counts the second time. */
async function countCalls(what: string, run: () => Promise<unknown>): Promise<void> {
	await run();
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await run();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	const files = result
		.filter(({ url }) => isOurs(url))
		.map(({ url, functions }) => ({
			file: url.split('/dist/nodes/')[1]!,
			calls: functions.reduce((sum, { ranges }) => sum + ranges[0]!.count, 0),
		}))
		.filter(({ calls }) => calls > 0)
		.sort((one, other) => other.calls - one.calls);
	const calls = files.reduce((sum, file) => sum + file.calls, 0);
	console.log(`${what}: ${calls} calls through ${files.length} files`);
	if (process.argv.includes('--files')) console.table(files);
}

const isOurs = (url: string) => url.includes('/dist/nodes/') && !url.endsWith('/bundled.js');

const answer = (body: object) => ({ statusCode: 200, headers: {}, body: JSON.stringify(body) });

async function main(): Promise<void> {
	const action = loadNode('MessagingGateway');
	const parameters = {
		resource: 'message',
		operation: 'sendSms',
		to: '+55 11 91234-5678',
		text: 'Hello',
		simplify: true,
		options: {},
	};
	await countCalls('One SMS without options', async () => {
		const http = async () => answer({ success: true, messageId: 'm-1', status: 'queued' });
		const account = { ...credential, itemFields: 'itemFields' }; // the same for all items
		const entered = { ...parameters, to: '={{ $json.to }}', text: '={{ $json.text }}' };
		const context = makeContext({
			items: [parameters],
			parameters: entered,
			credential: account,
			http,
		});
		const output = (await action.execute!.call(context)) as unknown[][];
		if (output[0]!.length !== 1) throw new Error('It was not sent');
	});

	const status = loadNode('MessagingGatewayStatusTrigger');
	const messages = [{ messageId: 'm-1', to: '1', status: 'sent' }];
	const staticData = {};
	await countCalls('One poll of one campaign', async () => {
		const context = makePollContext({
			parameters: {
				event: 'messageStatusChanged',
				channel: 'sms',
				campaignIds: '',
				simplify: true,
			},
			staticData,
			answer: () => ({ campaigns: [{ campaignId: 'c-1', nome: 'One', messages }] }),
		});
		await status.poll!.call(context);
	});
}

void main();
