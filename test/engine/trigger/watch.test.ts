import type { NodeApiError } from 'n8n-workflow';
import { SEEDS } from '../../../sandbox';
import { calls, foreign, left, textOf, TriggerWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
});

const production = 'production of workflow-1';
const set = `set ${production}`;

const lose = {
	'switched off': () => (sandbox().webhook.enabled = false),
	gone: () => (sandbox().webhook = { url: null, enabled: null }),
	'with another secret': () => {
		sandbox().webhook.url = sandbox().webhook.url!.replace(/.{4}$/, '0000');
	},
	'left over from a test': async () => {
		await new TriggerWorkflow(sandbox(), 'workflow-2').listen();
		sandbox().webhook.url = sandbox().webhook.url!.replace(/testUntil=\d+/, 'testUntil=1');
	},
};

describe("n8n's start", () => {
	it('changes nothing when all is there', async () => {
		const webhook = { ...sandbox().webhook };
		expect(await calls(sandbox(), async () => await workflow.restart())).toEqual(['read']);
		expect(sandbox().webhook).toEqual(webhook);
	});

	it.each(Object.entries(lose))('registers again what is %s', async (_, change) => {
		const { url } = sandbox().webhook;
		await change();
		expect(await calls(sandbox(), async () => await workflow.restart())).toEqual(['read', set]);
		expect(sandbox().webhook).toEqual({ url, enabled: true }); // deliveries under way still count
	});

	it('follows a move to another host, under the same secret', async () => {
		const url = sandbox().webhook.url!;
		workflow.options.instanceUrl = 'http://localhost:9999';
		await workflow.restart();
		expect(sandbox().webhook.url).toBe(url.replace('localhost:5678', 'localhost:9999'));
		expect(await workflow.checkExists()).toBe(true);
		await workflow.unpublish();
		expect(left(sandbox())).toBe(`${production}, off`);
	});

	it('keeps the registration when the new host cannot be reached', async () => {
		const { staticData } = workflow;
		const before = structuredClone(staticData);
		workflow.options.credential = { baseUrl: 'https://gateway.invalid' };
		const start = await workflow.restart();
		expect(start?.logs.join()).toContain('N8N_WEBHOOK_URL');
		expect(staticData).toEqual(before);
		expect(left(sandbox())).toBe(production);
	});

	it('goes on while the service is down or the webhook is taken', async () => {
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		const down = await workflow.restart();
		expect(down?.logs.join()).toContain('warn: The service is not available right now');

		sandbox().webhook = { url: foreign, enabled: true };
		const taken = await workflow.restart();
		expect(taken?.logs.join()).toContain('was taken by crm.example.com');
		expect(left(sandbox())).toBe(foreign);
	});

	it('is a publication where n8n has stored nothing', async () => {
		workflow.staticData = {};
		expect(await calls(sandbox(), async () => await workflow.restart())).toEqual(['read', set]);
	});
});

describe('the watch', () => {
	it('looks every three minutes', async () => {
		const watch = await workflow.watch();
		expect(watch.crons).toEqual([expect.stringMatching(/^[1-5]?\d \*\/3 \* \* \* \*$/)]);
		await watch.close();
	});

	it('only reads while all is well', async () => {
		const watch = await workflow.watch();
		expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
		expect(watch.emitted).toEqual([]);
		await watch.close();
	});

	it.each(Object.entries(lose))('registers again what is %s', async (_, change) => {
		const { url } = sandbox().webhook;
		const watch = await workflow.watch();
		await change();
		expect(await calls(sandbox(), watch.tick)).toEqual(['read', set]);
		expect(sandbox().webhook).toEqual({ url, enabled: true });
		expect(watch.logs().join()).toContain('Registered the webhook of the account again');
		await watch.close();
	});

	it('surfaces once that the webhook was taken, and takes it when it is free', async () => {
		const watch = await workflow.watch();
		for (const round of [1, 2]) {
			sandbox().webhook = { url: foreign, enabled: true };
			const looks = [watch.tick, watch.tick, watch.tick, watch.tick];
			for (const [index, look] of looks.entries()) {
				expect(await calls(sandbox(), look)).toEqual(['read']);
				expect(watch.failedExecutions).toHaveLength(index === 0 ? round - 1 : round);
			}
			sandbox().webhook.enabled = false;
			expect(await calls(sandbox(), watch.tick)).toEqual(['read', set]);
		}
		const [error] = watch.failedExecutions as NodeApiError[];
		expect(error!.message).toBe(
			'This workflow receives no deliveries: the webhook of its account was taken by crm.example.com',
		);
		expect(error!.description).toContain('registers again by itself');
		expect(textOf(error)).not.toMatch(/hush|hooks|[\da-f]{64}/);
		expect(watch.logs().join()).not.toMatch(/hush|[\da-f]{64}/);
		await watch.close();
	});

	it('takes it back with Take Over', async () => {
		workflow.options.conflict = 'takeOver';
		const watch = await workflow.watch();
		sandbox().webhook = { url: foreign, enabled: true };
		expect(await calls(sandbox(), watch.tick)).toEqual(['read', set]);
		expect(watch.logs().join()).toContain(
			'Took the webhook of the account back from crm.example.com',
		);
		expect(watch.failedExecutions).toEqual([]);
		await watch.close();
	});

	it.each([
		['nothing', { url: null, enabled: null }],
		['another address', { url: 'https://erp.example.com/in', enabled: true }],
	])('gives back what it took it from, published over %s', async (_, before) => {
		workflow.options.conflict = 'takeOver';
		await workflow.unpublish();
		sandbox().webhook = before;
		await workflow.publish();
		const { staticData } = workflow;
		const stored = structuredClone(staticData);
		const watch = await workflow.watch();
		for (let round = 0; round < 2; round++) {
			sandbox().webhook = { url: foreign, enabled: true };
			await watch.tick();
			sandbox().webhook = { url: null, enabled: null };
			await watch.tick();
			expect(left(sandbox())).toBe(production);
		}
		await watch.close();
		workflow.staticData = stored; // n8n saves nothing that a cron job changes
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
	});

	it('never takes it from another trigger, which was published later', async () => {
		workflow.options.conflict = 'takeOver';
		await new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' }).publish();
		const watch = await workflow.watch();
		await watch.tick();
		await watch.tick();
		expect(left(sandbox())).toBe('production of workflow-2');
		expect(watch.failedExecutions[0]).toMatchObject({
			message: expect.stringContaining('another Messaging Gateway Trigger, at') as string,
			description: expect.stringContaining('unpublish this workflow, then publish it') as string,
		});
		await watch.close();
	});

	it.each(['workflow-1', 'workflow-2'])('does not disturb a test of %s', async (id) => {
		workflow.options.conflict = 'takeOver';
		const watch = await workflow.watch();
		const test = new TriggerWorkflow(sandbox(), id);
		await test.listen();
		expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
		await watch.tick();
		expect(left(sandbox())).toBe(`test of ${id}`);
		expect(watch.failedExecutions).toEqual([]);
		await test.endTest();
		expect(left(sandbox())).toBe(production);
		await watch.close();
	});

	it('repairs what two tests at once leave behind', async () => {
		const watch = await workflow.watch();
		const tests = ['workflow-2', 'workflow-3'].map((id) => new TriggerWorkflow(sandbox(), id));
		for (const test of tests) await test.listen();
		for (const test of tests) await test.endTest();
		await watch.tick();
		expect(left(sandbox())).toBe(production);
		await watch.close();
	});

	it('surfaces once that the service cannot be asked', async () => {
		const watch = await workflow.watch();
		sandbox().fault({ fault: { refuse: 'Token inválido.' } });
		for (let look = 0; look < 4; look++) await watch.tick();
		expect(watch.failedExecutions.map(({ message }) => message)).toEqual([
			'The service rejected the credential: "Token inválido."',
		]);
		await watch.close();
	});

	it('bears with a single look in vain', async () => {
		const watch = await workflow.watch();
		for (let round = 0; round < 3; round++) {
			sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
			await watch.tick();
			await watch.tick();
		}
		expect(watch.failedExecutions).toEqual([]);
		await watch.close();
	});

	it('surfaces a credential that is no use', async () => {
		workflow.options.credential = { baseUrl: 'gateway' };
		const watch = await workflow.watch();
		await watch.tick();
		await watch.tick();
		expect(watch.failedExecutions[0]).toMatchObject({
			name: 'NodeOperationError',
			message: "'Base URL' in the Messaging Gateway credential is not a web address",
		});
		await watch.close();
	});

	it.each([
		['has no webhook', { url: null, enabled: null }],
		['lost ours', undefined],
	])('registers when the credential has changed, where the account %s', async (_, webhook) => {
		workflow.options.credential = { apiKey: SEEDS.apiKeys[1]!.key };
		const watch = await workflow.watch();
		sandbox().webhook = webhook ?? { ...sandbox().webhook, enabled: false };
		await watch.tick();
		expect(left(sandbox())).toBe(production);
		expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
		expect(watch.failedExecutions).toEqual([]);
		await watch.close();
	});

	it.each([
		['takeOver', true],
		['refuse', true],
		['takeOver', false],
		['refuse', false],
	] as const)(
		'leaves the webhook of another account alone; %s, enabled: %s',
		async (conflict, enabled) => {
			workflow.options.conflict = conflict;
			workflow.options.credential = { apiKey: SEEDS.apiKeys[1]!.key };
			const watch = await workflow.watch();
			sandbox().webhook = { url: foreign, enabled };
			for (let look = 0; look < 3; look++) {
				expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
			}
			expect(watch.failedExecutions.map(({ message }) => message)).toEqual([
				'The credential now belongs to another account or has another API key, and the webhook there points to crm.example.com. Unpublish this workflow and publish it again.',
			]);
			await workflow.restart();
			await watch.close();
			await workflow.unpublish();
			expect(sandbox().webhook).toEqual({ url: foreign, enabled });
		},
	);

	it('knows the account by what its entries mean', async () => {
		const { baseUrl, apiKey } = sandbox().credential;
		workflow.options.conflict = 'takeOver';
		workflow.options.credential = { baseUrl: ` ${baseUrl}/`, apiKey: `${apiKey} ` };
		const watch = await workflow.watch();
		sandbox().webhook = { url: foreign, enabled: true };
		expect(await calls(sandbox(), watch.tick)).toEqual(['read', set]);
		await watch.close();
	});

	it('has nothing to look after where publishing failed', async () => {
		workflow.staticData = {};
		const watch = await workflow.watch();
		expect(await calls(sandbox(), watch.tick)).toEqual([]);
		await watch.close();
	});

	it('writes nothing once the workflow is being unpublished', async () => {
		const watch = await workflow.watch();
		sandbox().webhook = { url: null, enabled: null };
		sandbox().fault({ operation: 'getWebhook', fault: { delayMs: 50 } });
		const look = calls(sandbox(), watch.tick);
		await watch.close();
		expect(await look).toEqual(['read']);
	});
});
