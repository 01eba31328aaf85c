import { until } from '../../../../tools/host/until';
import { foreign } from '../account';
import type { LifecycleCase } from '../lifecycle';

/** Secrets stand in no line of n8n's log, at its most talkative, and in nothing it stores of executions. */
export const secrets: LifecycleCase[] = [
	{
		title: 'Secrets',
		async run(stage) {
			const { host } = stage;
			const { account, workflow } = await stage.open({
				conflict: 'takeOver',
				options: { includeHeaders: true },
			});
			const { sandbox } = account;
			const secrets = ['hush', sandbox.credential.apiKey];
			sandbox.webhook = foreign;
			await workflow.publish();
			const published = account.url;
			const { secret } = account;
			secrets.push(secret, published.split('.').at(-1)!);

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

const linesWith = (log: string, text: string): string[] =>
	log.split('\n').filter((line) => line.includes(text));
