/**
 * What only the real n8n can show of a trigger's life: which hooks it calls, how often and when, and what
 * it does about an error. What its checks repair is in test/versions/watch.test.ts, everything else in
 * test/engine/trigger.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packThisPackage, type FinishedExecution } from '../../../tools/host';
import { until } from '../../../tools/host/until';
import { foreign, type Account } from './account';
import type { LifecycleCase, Stage } from './lifecycle';
import type { TriggerOptions, TriggerWorkflow } from './triggerWorkflow';

const execute = promisify(execFile);

const ids = async (run: Promise<FinishedExecution>) =>
	JSON.stringify((await run).data.resultData.runData);

const linesWith = (log: string, text: string): string[] =>
	log.split('\n').filter((line) => line.includes(text));

interface Actor {
	account: Account;
	workflow: TriggerWorkflow;
	/** As registered when published. */
	url: string;
	secret: string;
}

/** Publishes a workflow with an account of its own. */
async function publish(stage: Stage, options?: TriggerOptions): Promise<Actor> {
	const { account, workflow } = await stage.open(options);
	await workflow.publish();
	account.calls();
	return { account, workflow, url: account.url, secret: account.secret };
}

/** Waits until n8n, started again, has asked the service. */
async function seen({ account }: Actor): Promise<void> {
	await until('n8n has checked', () => account.newCalls > 0);
}

/** A delivery starts it, whose secret is what it was. */
async function takeDelivery({ account, workflow, secret }: Actor): Promise<void> {
	expect(account.secret).toBe(secret);
	expect((await account.deliver({})).status).toBe(200);
	await workflow.newestOf(1);
}

/**
 * One after the other: while a test ends, n8n 2.40 holds on to more than it can copy when another one
 * begins or ends. (WorkflowExecuteAdditionalData in its cache; it stands still then, for any trigger.)
 */
let previous: Promise<void> = Promise.resolve();

const oneByOne = (each: LifecycleCase): LifecycleCase => ({
	...each,
	async run(stage) {
		const turn = previous.then(async () => await each.run(stage));
		previous = turn.catch(() => undefined);
		await turn;
	},
});

const listening: LifecycleCase[] = [
	{
		title: 'Listening while published, until n8n’s two minutes are over',
		async run(stage) {
			const { account, workflow } = await stage.openPublished();
			const { url } = account;
			await stage.step('listen', account, workflow.listen());
			await stage.isLeftWith(account, 'production');
			stage.row('two minutes later', account);
			expect(account.url).toBe(url);
			expect((await account.deliver({})).status).toBe(200);
			expect((await workflow.newestOf(1)).mode).toBe('webhook');
		},
	},
	{
		title: 'Listening while published, with a delivery',
		async run(stage) {
			const { account, workflow } = await stage.openPublished();
			const { url } = account;
			await stage.step('listen', account, workflow.listen());

			const forged = account.url.replace(account.secret, '0'.repeat(43));
			expect((await account.deliver({ messageId: 'forged' }, forged)).status).toBe(401);
			stage.row('a forged delivery', account);

			expect((await account.deliver({ messageId: 'test' })).status).toBe(200);
			await stage.isLeftWith(account, 'production');
			stage.row('a delivery', account);
			expect(account.url).toBe(url);
			const test = await workflow.newestOf(1);
			expect(test.mode).toBe('manual');
			expect(JSON.stringify(test.data)).toContain('"messageId":"test"');

			expect((await account.deliver({ messageId: 'production' })).status).toBe(200);
			expect((await workflow.newestOf(2)).mode).toBe('webhook');
		},
	},
	{
		// In no line of n8n's log, at its most talkative, and in nothing it stores of executions.
		title: 'Secrets',
		async run(stage) {
			const { host } = stage;
			const { account, workflow } = await stage.open({ options: { includeHeaders: true } });
			const { sandbox } = account;
			const secrets = ['hush', sandbox.credential.apiKey];
			sandbox.webhook = foreign;
			await workflow.tryToPublish();
			sandbox.webhook = { ...foreign, enabled: false };
			await workflow.publish();
			const published = account.url;
			const { secret } = account;
			secrets.push(secret);

			// Good, wrong, misdirected and repeating the secret; and one that n8n itself refuses.
			await sandbox.deliver(
				{ messageId: 'm-1', webhook: published },
				{ headers: { referer: published } },
			);
			await account.deliver({}, published.replace(account.secret, 'x'.repeat(43)));
			await sandbox.deliver({}, { body: `{"url":"${published}"` });
			await workflow.newestOf(1);

			await workflow.listen();
			secrets.push(account.secret);
			await sandbox.deliver({ messageId: 'm-2', webhook: account.url });
			await until('production is back', () => account.secret === secret);
			await workflow.newestOf(2);

			// Errors of the service, when publishing again and when unpublishing.
			sandbox.fault({
				operation: 'setWebhook',
				times: 3,
				fault: { status: 500, body: { url: published } },
			});
			await workflow.save({ name: 'Renamed' });
			await workflow.tryToPublish();
			await account.deliver({}, published);
			sandbox.fault({ operation: 'setWebhook', times: 1, fault: { reset: 'beforeAccept' } });
			await workflow.unpublish();
			await account.deliver({}, published);

			const executions = JSON.stringify(await workflow.storedExecutions());
			expect(executions).toContain('mgt=***');
			expect(host.logs()).toContain('Renamed');
			for (const secret of secrets) {
				expect(secret).not.toBe('');
				expect(executions.includes(secret)).toBe(false);
				expect(linesWith(host.logs(), secret)).toEqual([]);
			}
		},
	},
];

export const cases: LifecycleCase[] = [
	{
		title: 'Publish, deliver, unpublish',
		async run(stage) {
			const { account, workflow } = await stage.openPublished();

			const { url } = account;
			expect(await account.deliver({ messageId: 'm-1' })).toMatchObject({ status: 200, body: '' });
			expect(await ids(workflow.newestOf(1))).toContain('"messageId":"m-1"');
			stage.row('a delivery', account);

			await stage.step('unpublish', account, workflow.unpublish());
			expect((await account.deliver({ messageId: 'm-2' }, url)).status).toBe(404);
			expect(await workflow.executions()).toHaveLength(1);
		},
	},
	{
		title: 'Publish again',
		async run(stage) {
			const { account, workflow } = await stage.openPublished();

			const { url } = account;
			await workflow.save({ position: [100, 100], notes: 'Moved on the canvas' });
			await stage.step('publish, the node moved on the canvas only', account, workflow.publish());
			expect(account.url).toBe(url);

			await workflow.save({ parameters: { options: { includeHeaders: true } } });
			await stage.step('publish, a parameter changed', account, workflow.publish());
			expect(account.url).toBe(url);

			await workflow.save({ name: 'Renamed' });
			await stage.step('publish, the node renamed', account, workflow.publish());
			expect(account.url).toBe(url);
			expect((await account.deliver({ messageId: 'm-1' })).status).toBe(200);
			expect(await ids(workflow.newestOf(1))).toContain('"Renamed"');

			await stage.step('unpublish', account, workflow.unpublish());
		},
	},
	{
		title: 'Somebody else’s webhook, in a workflow with another trigger',
		async run(stage) {
			const { account, workflow } = await stage.open({
				beside: {
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					parameters: { path: randomUUID() },
					webhookId: randomUUID(),
				},
			});
			account.sandbox.webhook = foreign;
			const { status, triggers } = await workflow.tryToPublish();
			expect(status).toBe('partial');
			expect(triggers.map(({ errorMessage }) => errorMessage ?? 'fine').sort()).toEqual([
				expect.stringContaining('crm.example.com is using it'),
				'fine',
			]);
			stage.row('publish: partial, refused in each of five attempts', account, { onlyReads: true });
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Two workflows, one account',
		async run(stage) {
			const { account, workflow: first } = await stage.open({ name: 'A' });
			const second = await stage.create(account, { name: 'B' });
			await stage.step('publish A', account, first.publish());
			const { status, triggers } = await second.tryToPublish();
			expect(status).toBe('failed');
			expect(triggers[0]!.errorMessage).toContain(`(ID ${first.id}) of this n8n is using it`);
			stage.row('publish B: refused in each of five attempts', account, { onlyReads: true });
			await expect(second.listen()).rejects.toThrow();
			stage.row('listen in B: refused', account, { onlyReads: true });
			expect((await account.deliver({})).status).toBe(200);
			await first.newestOf(1);
			await stage.step('unpublish A', account, first.unpublish());
			await stage.step('publish B', account, second.publish());
			await stage.step('unpublish B', account, second.unpublish());
		},
	},
	...listening.map(oneByOne),
	{
		title: 'n8n restarts while published',
		restarts: true,
		async run(stage) {
			const { host } = stage;
			const { userFolder } = host;
			const unchanged = await publish(stage);
			const down = await publish(stage);

			await host.stop();
			// What was asked until here, such as by a check before the stop, belongs to no row.
			for (const { account } of [unchanged, down]) account.calls();
			down.account.sandbox.fault({ fault: { status: 503 } });
			await host.startAgain();

			await seen(unchanged);
			stage.row('nothing happened meanwhile', unchanged.account, { onlyReads: true });
			await seen(down);
			stage.row('the service is down', down.account, { onlyReads: true });

			await takeDelivery(unchanged);

			const killed = await publish(stage);
			await stage.step('listening', killed.account, killed.workflow.listen());

			await host.kill();
			unchanged.account.calls();
			await host.startAgain({ tarball: await packNewerVersion(userFolder) });
			await seen(unchanged);
			stage.row('after a power cut, with a newer version of this package', unchanged.account, {
				onlyReads: true,
			});
			expect((await unchanged.account.deliver({})).status).toBe(200);
			await unchanged.workflow.newestOf(2);
			await until('it is registered', () => killed.account.left() === 'production');
			stage.row('the test that the power cut has ended', killed.account);

			await host.stop();
			unchanged.account.calls();
			const moved = new URL(host.url);
			moved.hostname = 'localhost';
			const env = { N8N_WEBHOOK_URL: moved.href, N8N_ENDPOINT_WEBHOOK: 'hooks' };
			await host.startAgain({ env });
			const { account } = unchanged;
			await until('it is registered', () => account.url.startsWith(`${moved.href}hooks/`));
			stage.row('with another N8N_WEBHOOK_URL and N8N_ENDPOINT_WEBHOOK', account);
			const was = `http://127.0.0.1:${moved.port}/webhook/`;
			expect(account.url).toBe(unchanged.url.replace(was, `${moved.href}hooks/`));
			await stage.step('unpublish', account, unchanged.workflow.unpublish());
		},
	},
	{
		title: 'The service is down when unpublishing',
		async run(stage) {
			const { account, workflow } = await stage.openPublished();
			account.sandbox.fault({ fault: { status: 503 } });
			await stage.step(
				'unpublish: three attempts, then n8n ends it anyway',
				account,
				workflow.unpublish(),
			);
			expect((await account.deliver({})).status).toBe(404);

			account.sandbox.clearFaults();
			await stage.step('publish, the service is back', account, workflow.publish());
			await stage.step('unpublish', account, workflow.unpublish());
		},
	},
];

/** Packs this package under a higher version number. @returns the tarball's path */
async function packNewerVersion(folder: string): Promise<string> {
	await execute('tar', ['-xzf', await packThisPackage(folder), '-C', folder]);
	const manifest = path.join(folder, 'package', 'package.json');
	const content = JSON.parse(await readFile(manifest, 'utf8')) as object;
	await writeFile(manifest, JSON.stringify({ ...content, version: '99.0.0' }));
	const tarball = path.join(folder, 'newer.tgz');
	await execute('tar', ['-czf', tarball, '-C', folder, 'package']);
	return tarball;
}
