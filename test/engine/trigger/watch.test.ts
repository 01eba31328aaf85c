import { setTimeout as wait } from 'node:timers/promises';
import type { NodeApiError } from 'n8n-workflow';
import { SEEDS } from '../../../sandbox';
import {
	afterItsEnd,
	calls,
	foreign,
	forgetAll,
	left,
	secretIn,
	storeUrlsAs,
	textOf,
	TriggerWorkflow,
	useSandbox,
} from './support';

// Waiting is not what these tests are about.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => {},
}));

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
});

const writes = () => sandbox().requests({ operation: 'setWebhook' });

const production = 'production of workflow-1';
/** What a repair asks for: the last one looks whether the service keeps the URL. */
const repaired = ['read', `set ${production}`, 'read'];

const lose = {
	'switched off': () => (sandbox().webhook.enabled = false),
	gone: () => (sandbox().webhook = { url: null, enabled: null }),
	'with another secret': () => {
		sandbox().webhook.url = sandbox().webhook.url!.replace(/.{4}$/, '0000');
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
		change();
		expect(await calls(sandbox(), async () => await workflow.restart())).toEqual(repaired);
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
		const before = structuredClone(workflow.staticData);
		workflow.options.credential = { baseUrl: 'https://gateway.invalid' };
		const start = await workflow.restart();
		expect(start?.logs.join()).toContain('N8N_WEBHOOK_URL');
		expect(workflow.staticData).toEqual(before);
		expect(left(sandbox())).toBe(production);
	});

	it.each(['init', 'leadershipChange'] as const)(
		'goes on at %s while the service is down or the webhook is taken',
		async (mode) => {
			sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
			const down = await workflow.publish(mode);
			expect(down?.logs.join()).toContain('warn: The service is not available right now');

			sandbox().webhook = { url: foreign, enabled: true };
			const taken = await workflow.publish(mode);
			expect(taken?.logs.join()).toContain('was taken by crm.example.com');
			expect(left(sandbox())).toBe(foreign);
		},
	);

	it('needs nothing of what n8n has stored', async () => {
		const stored = structuredClone(workflow.staticData);
		workflow.staticData = {};
		expect(await calls(sandbox(), async () => await workflow.restart())).toEqual(['read']);
		expect(workflow.staticData).toEqual(stored); // the watch finds all it needs
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
		change();
		expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
		expect(sandbox().webhook).toEqual({ url, enabled: true });
		expect(watch.logs().join()).toContain('Registered the webhook of the account again');
		await watch.close();
	});

	it('registers again what publishing had found there', async () => {
		workflow.staticData = {};
		expect(await calls(sandbox(), async () => await workflow.publish())).toEqual(['read']);
		const watch = await workflow.watch();
		lose.gone();
		expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
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
			expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
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
		expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
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
		const watch = await workflow.watch();
		for (let round = 0; round < 2; round++) {
			sandbox().webhook = { url: foreign, enabled: true };
			await watch.tick();
			sandbox().webhook = { url: null, enabled: null };
			await watch.tick();
			expect(left(sandbox())).toBe(production);
		}
		await watch.close();
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
	});

	describe('what it had displaced', () => {
		const erp = { url: 'https://erp.example.com/in', enabled: true };
		beforeEach(async () => {
			workflow.options.conflict = 'takeOver';
			await workflow.unpublish();
			sandbox().webhook = { url: foreign, enabled: true };
			await workflow.publish();
		});

		it('is given back after a third party took the webhook and let it go', async () => {
			workflow.options.conflict = 'refuse';
			const watch = await workflow.watch();
			sandbox().webhook = { ...erp };
			await watch.tick();
			sandbox().webhook.enabled = false;
			await watch.tick();
			expect(left(sandbox())).toBe(production);
			await watch.close();
			await workflow.unpublish();
			expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
		});

		it('is given back as it has changed itself meanwhile', async () => {
			const watch = await workflow.watch();
			sandbox().webhook = { url: foreign, enabled: false };
			await watch.tick();
			await watch.close();
			await workflow.unpublish();
			expect(sandbox().webhook).toEqual({ url: foreign, enabled: false });
		});

		it('cannot be given back when it is lost while n8n is not running, which the log says', async () => {
			lose.gone();
			forgetAll();
			const start = await workflow.restart();
			expect(start?.logs.join()).toContain(
				'warn: The webhook of the account was lost, and with it what this workflow had displaced: unpublishing will switch it off.',
			);
			expect(left(sandbox())).toBe(production);
		});

		it('is missed by nobody where there was nothing', async () => {
			await workflow.unpublish();
			lose.gone();
			await workflow.publish();
			lose.gone();
			forgetAll();
			const start = await workflow.restart();
			expect(start?.logs.join()).not.toContain('was lost');
		});
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
		const test = new TriggerWorkflow(sandbox(), id, { conflict: 'takeOver' });
		await test.listen();
		expect(await calls(sandbox(), watch.tick)).toEqual(['read', 'read']);
		expect(left(sandbox())).toBe(`test of ${id}`);
		expect(watch.failedExecutions).toEqual([]);
		await test.endTest();
		expect(left(sandbox())).toBe(production);
		await watch.close();
	});

	it('repairs what a test leaves behind that nobody ends', async () => {
		const watch = await workflow.watch();
		const { url } = sandbox().webhook;
		await new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' }).listen();
		await watch.tick();
		expect(left(sandbox())).toBe('test of workflow-2');
		await afterItsEnd(watch.tick);
		expect(secretIn(sandbox().webhook.url)).toBe(secretIn(url));
		expect(left(sandbox())).toBe(production);
		await watch.close();
	});

	it('surfaces once that the service cannot be asked', async () => {
		const watch = await workflow.watch();
		sandbox().fault({ fault: { refuse: 'Token inválido.' } });
		for (let look = 0; look < 4; look++) await watch.tick();
		expect(watch.failedExecutions).toHaveLength(1);
		expect(watch.failedExecutions[0]).toMatchObject({
			name: 'NodeApiError',
			message: 'The service rejected the credential: "Token inválido."',
		});
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
		expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
		await watch.close();
	});

	it('registers anew with another API key, and carries on what is to be given back', async () => {
		workflow.options.conflict = 'takeOver';
		await workflow.unpublish();
		sandbox().webhook = { url: foreign, enabled: true };
		await workflow.publish();
		const { url } = sandbox().webhook;
		const watch = await workflow.watch();
		await watch.tick();
		await watch.close(); // n8n takes no second job of the same second

		workflow.options.credential = { apiKey: SEEDS.apiKeys[1]!.key };
		const changed = await workflow.watch();
		expect(await calls(sandbox(), changed.tick)).toEqual(repaired);
		expect(left(sandbox())).toBe(production);
		expect(secretIn(sandbox().webhook.url)).not.toBe(secretIn(url));
		expect(await calls(sandbox(), changed.tick)).toEqual(['read']);
		forgetAll(); // it stands in the URL again, sealed with the new key
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
		await changed.close();
	});

	it('still gives back what was displaced when somebody has dropped the query', async () => {
		workflow.options.conflict = 'takeOver';
		await workflow.unpublish();
		sandbox().webhook = { url: foreign, enabled: true };
		await workflow.publish();
		const watch = await workflow.watch();
		for (let look = 0; look < 2; look++) {
			sandbox().webhook.url = sandbox().webhook.url!.split('?')[0]!;
			expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
		}
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
		await watch.close();
	});

	it('surfaces once what had to be repaired in three looks in a row', async () => {
		workflow.options.conflict = 'takeOver';
		const watch = await workflow.watch();
		for (let look = 1; look <= 5; look++) {
			sandbox().webhook = { url: foreign, enabled: true };
			expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
			expect(watch.failedExecutions).toHaveLength(look < 3 ? 0 : 1);
		}
		const [error] = watch.failedExecutions;
		expect(error!.message).toBe(
			'The webhook of the account had to be registered again at every look: crm.example.com had taken it',
		);
		expect(textOf(error)).not.toMatch(/hush|hooks|v1\.p/);
		expect(watch.emittedErrors).toEqual([]);
		await watch.close();
	});

	it('surfaces it once where the host is another one each time', async () => {
		workflow.options.conflict = 'takeOver';
		const watch = await workflow.watch();
		for (let look = 1; look <= 6; look++) {
			sandbox().webhook = { url: `https://host-${look}.example.com/`, enabled: true };
			await watch.tick();
		}
		expect(watch.failedExecutions).toHaveLength(1);
		workflow.options.conflict = 'refuse';
		const refusing = await workflow.watch();
		for (let look = 1; look <= 6; look++) {
			sandbox().webhook = { url: `https://host-${look}.example.com/`, enabled: true };
			await refusing.tick();
		}
		expect(refusing.failedExecutions).toHaveLength(1);
		await watch.close();
		await refusing.close();
	});

	it('surfaces it again when what has to be repaired changes', async () => {
		workflow.options.conflict = 'takeOver';
		const watch = await workflow.watch();
		const steps = [
			() => (sandbox().webhook = { url: foreign, enabled: true }),
			() => (sandbox().webhook = { url: null, enabled: null }),
			() => (sandbox().webhook.url = sandbox().webhook.url!.split('?')[0]!),
		];
		for (const step of steps) {
			for (let look = 0; look < 3; look++) {
				step();
				await watch.tick();
			}
		}
		const found = watch.failedExecutions.map(({ message }) => message.split(': ')[1]);
		expect(found).toEqual([
			'crm.example.com had taken it',
			'it was gone or switched off',
			'its URL had been changed',
		]);
		await watch.close();
	});

	it('begins to count again after a look that found all well', async () => {
		const watch = await workflow.watch();
		for (let look = 0; look < 8; look++) {
			if (look % 3 !== 2) sandbox().webhook.enabled = false;
			await watch.tick();
		}
		expect(watch.failedExecutions).toEqual([]);
		await watch.close();
	});

	it('surfaces another kind of what it cannot repair, each once', async () => {
		const watch = await workflow.watch();
		const faults = [{ status: 503 }, { status: 503 }, { status: 401 }, { status: 503 }];
		for (const fault of faults) {
			sandbox().fault({ times: 1, fault });
			await watch.tick();
		}
		expect(watch.failedExecutions).toHaveLength(2);
		await watch.close();
	});

	it('tells kinds apart where the service answers everything with the same status', async () => {
		const watch = await workflow.watch();
		const texts = ['Erro interno do servidor.', 'Erro interno do servidor.', 'Token inválido.'];
		for (const text of [...texts, 'Sem saldo (1)', 'Sem saldo (2)']) {
			sandbox().fault({ times: 1, fault: { refuse: text, status: 200 } });
			await watch.tick();
		}
		expect(watch.failedExecutions.map(({ message }) => message)).toEqual([
			expect.stringContaining('could not process the request'),
			expect.stringContaining('rejected the credential'),
			expect.stringContaining('refused the request: "Sem saldo (1)"'),
		]);
		await watch.close();
	});

	it('surfaces that the service does not keep the URL any more', async () => {
		const watch = await workflow.watch();
		storeUrlsAs(sandbox(), (url) => url.split('?')[0]!);
		sandbox().webhook.url = sandbox().webhook.url;
		await watch.tick();
		await watch.tick();
		expect(watch.failedExecutions.map(({ message }) => message)).toEqual([
			expect.stringContaining('did not keep the webhook URL as it was given'),
		]);
		await watch.close();
	});

	it('logs what n8n before 2.7 cannot show as a failed execution', async () => {
		workflow.options.cannotSaveFailedExecutions = true;
		const watch = await workflow.watch();
		sandbox().webhook = { url: foreign, enabled: true };
		for (let look = 0; look < 4; look++) await watch.tick();
		const errors = watch.logs().filter((line) => line.startsWith('error: '));
		expect(errors).toEqual([
			expect.stringContaining(
				'the webhook of its account was taken by crm.example.com. The account',
			),
		]);
		expect([watch.failedExecutions, watch.emittedErrors]).toEqual([[], []]); // it is not restarted
		await watch.close();
	});

	it('has nothing to look after while publishing is under way, or where it failed', async () => {
		workflow.staticData = {};
		const watch = await workflow.watch();
		sandbox().webhook = { url: null, enabled: null };
		for (let look = 0; look < 3; look++) {
			expect(await calls(sandbox(), watch.tick)).toEqual([]);
		}
		expect(watch.failedExecutions).toEqual([]);
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

	it('registers nothing that outlives the publication, whatever n8n ends first', async () => {
		workflow.options.conflict = 'takeOver';
		const watch = await workflow.watch();
		sandbox().webhook = { url: foreign, enabled: true };
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { delayMs: 100 } });
		const { length } = writes();
		const look = watch.tick();
		for (let ms = 0; ms < 60_000 && writes().length === length; ms++) await wait(1);
		await workflow.unpublish();
		expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
		await Promise.all([look, watch.close()]);
		expect(left(sandbox())).toBe(foreign);
	});

	it('goes on looking where unpublishing has failed, and when it is published again', async () => {
		const watch = await workflow.watch();
		sandbox().fault({ times: 1, fault: { status: 503 } });
		await expect(workflow.unpublish()).rejects.toThrow();
		lose.gone();
		expect(await calls(sandbox(), watch.tick)).toEqual(repaired);
		await watch.close();

		await workflow.unpublish();
		await workflow.publish();
		const next = await workflow.watch();
		lose.gone();
		expect(await calls(sandbox(), next.tick)).toEqual(repaired);
		await next.close();
	});
});
