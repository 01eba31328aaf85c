/** A long list through the chat app, by two executions, one of which is killed with its n8n. */
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { startHost, type Host } from '../../tools/host';
import { until } from '../../tools/host/until';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items } from '../../tools/shared/workflows';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Of both lists; two seconds each with the default pause. */
const count = 200;
const leastMs = 1000;
const limit = count * 4000; // ms
/** Of each list, the message whose turn it is next has a claimed key when n8n is killed. */
const mostInDoubt = 2;

const list = (from: number) =>
	Array.from({ length: count / 2 }, (_, index) => ({ to: String(from + index) }));

describe(`${count} media with the default pause, two executions at once, one killed`, () => {
	let userFolder: string;
	let host: Host;
	let sandbox: Sandbox;

	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-pace-'));
		host = await startHost({ userFolder });
		sandbox = await startSandbox();
	});
	afterAll(async () => {
		await host.stop();
		await rm(userFolder, { recursive: true, force: true });
		await sandbox.close();
	});

	it(
		'leave one at a time, each once',
		async () => {
			const data = { ...sandbox.credential, chatAppPause: undefined };
			const credential = await host.client.createCredential(data);
			const create = async (from: number) => {
				const parameters = {
					to: '={{ $json.to }}',
					mediaUrl: 'https://files.example/a.png',
					options: onceBy('={{ $json.to }}'),
				};
				const more = { onError: 'continueRegularOutput' as const };
				const send = gateway(credential, 'message', 'sendMedia', parameters, more);
				return await host.client.createWorkflow(chain('List', ...items(...list(from)), send));
			};
			const [first, second] = [await create(5511900100000), await create(5511900200000)];
			const accepted = () => sandbox.accepted().length;

			await host.client.run(first);
			await host.client.run(second);
			await until('a third has left', () => accepted() >= count / 3, { limit });
			await host.kill();
			host = await startHost({ userFolder });
			await Promise.all([first, second].map((id) => host.client.run(id)));
			const ended = async () =>
				(await Promise.all([first, second].map((id) => host.client.executions(id)))).every(
					([{ status } = { status: '' }]) => status === 'success',
				);
			await until('both have ended', ended, { limit });

			const sent = sandbox.requests();
			const gaps = sent.slice(1).map(({ at }, index) => at - sent[index]!.at);
			console.log(`${sent.length} requests, at least ${Math.min(...gaps).toFixed(0)} ms apart`);
			expect(Math.min(...gaps)).toBeGreaterThanOrEqual(leastMs);
			expect(accepted()).toBeGreaterThanOrEqual(count - mostInDoubt);
			for (const { to } of [...list(5511900100000), ...list(5511900200000)]) {
				expect(sandbox.timesAccepted({ to })).toBeLessThanOrEqual(1);
			}
		},
		2 * limit,
	);
});
