import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packThisPackage } from '../../../../tools/host';
import { until } from '../../../../tools/host/until';
import { foreign, type Account } from '../account';
import type { LifecycleCase, Stage } from '../lifecycle';
import type { TriggerOptions, TriggerWorkflow } from '../triggerWorkflow';

const execute = promisify(execFile);

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

export const restart: LifecycleCase[] = [
	{
		title: 'n8n restarts while published',
		waitsFor: 'restart',
		async run(stage) {
			const { host } = stage;
			const { userFolder } = host;
			const unchanged = await publish(stage);
			const lost = await publish(stage);
			const refusing = await publish(stage);
			const takingOver = await publish(stage, { conflict: 'takeOver' });
			const down = await publish(stage);

			await host.stop();
			// What was asked until here, such as by a check before the stop, belongs to no row.
			const actors = [unchanged, lost, refusing, takingOver, down];
			for (const { account } of actors) account.calls();
			lost.account.sandbox.webhook = { url: null, enabled: null };
			refusing.account.sandbox.webhook = foreign;
			takingOver.account.sandbox.webhook = foreign;
			down.account.sandbox.fault({ fault: { status: 503 } });
			await host.startAgain();

			await seen(unchanged);
			stage.row('nothing happened meanwhile', unchanged.account, { onlyReads: true });
			await until('it is registered', () => lost.account.left() === 'production');
			stage.row('the service has lost the webhook', lost.account);
			await seen(refusing);
			stage.row('somebody else has set it; Refuse', refusing.account, { onlyReads: true });
			await until('it is registered', () => takingOver.account.left() === 'production');
			stage.row('somebody else has set it; Take Over', takingOver.account);
			await seen(down);
			stage.row('the service is down', down.account, { onlyReads: true });

			for (const { account, workflow, secret } of [unchanged, lost, takingOver]) {
				expect(account.secret).toBe(secret);
				expect((await account.deliver({})).status).toBe(200);
				await workflow.newestOf(1);
			}

			const killed = await publish(stage);
			const listener = await stage.create(killed.account, {
				name: 'B',
				conflict: 'takeOver',
			});
			killed.account.sandbox.webhook = foreign;
			await listener.listen();
			stage.row('listening in B, over somebody else’s webhook', killed.account);

			await host.kill();
			unchanged.account.calls();
			await host.startAgain({ tarball: await packNewerVersion(userFolder) });
			await seen(unchanged);
			stage.row('after a power cut, with a newer version of this package', unchanged.account, {
				onlyReads: true,
			});
			expect((await unchanged.account.deliver({})).status).toBe(200);
			await unchanged.workflow.newestOf(2);
			await until('it is given back', () => killed.account.left() === 'crm.example.com');
			stage.row('what the test had borrowed that the power cut has ended', killed.account);
			expect(killed.account.sandbox.webhook).toEqual(foreign);

			await host.stop();
			for (const { account } of [unchanged, takingOver]) account.calls();
			const moved = new URL(host.url);
			moved.hostname = 'localhost';
			const env = { N8N_WEBHOOK_URL: moved.href, N8N_ENDPOINT_WEBHOOK: 'hooks' };
			await host.startAgain({ env });
			const { account } = unchanged;
			await until('it is registered', () => account.url.startsWith(`${moved.href}hooks/`));
			stage.row('with another N8N_WEBHOOK_URL and N8N_ENDPOINT_WEBHOOK', account);
			const was = `http://127.0.0.1:${moved.port}/webhook/`;
			expect(account.url).toBe(unchanged.url.replace(was, `${moved.href}hooks/`));
			await until('it is registered', () => takingOver.account.url.startsWith(moved.href));
			await takingOver.workflow.unpublish();
			expect(takingOver.account.sandbox.webhook).toEqual(foreign);

			await unchanged.workflow.unpublish();
			stage.row('unpublish', account);
		},
	},
];

/**
 * Packs this package under a higher version number.
 *
 * @returns the tarball's path
 */
async function packNewerVersion(folder: string): Promise<string> {
	await execute('tar', ['-xzf', await packThisPackage(folder), '-C', folder]);
	const manifest = path.join(folder, 'package', 'package.json');
	const content = JSON.parse(await readFile(manifest, 'utf8')) as object;
	await writeFile(manifest, JSON.stringify({ ...content, version: '99.0.0' }));
	const tarball = path.join(folder, 'newer.tgz');
	await execute('tar', ['-czf', tarball, '-C', folder, 'package']);
	return tarball;
}
