/**
 * Three workflows of two n8n and a CRM share the webhook of an account. Deliveries go on while the
 * workflows are published and unpublished, n8n is restarted and killed: what a trigger has answered
 * with 2xx has reached the CRM and each published workflow exactly once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { postJson } from '../../tools/host';
import { startLastingHost, type LastingHost } from '../../tools/host/lasting';
import { until } from '../../tools/host/until';
import { startCrm, type Crm } from '../../tools/shared/crm';
import { testEnvironment } from '../e2e/environment';
import { Account } from '../e2e/trigger/account';
import { TriggerWorkflow } from '../e2e/trigger/triggerWorkflow';

/** What n8n answers with 200, whatever it is asked, until its database is ready: no trigger sees that. */
const starting = 'n8n is starting up. Please wait';

/** Deliveries that are to be answered 2xx, and how many are under way at a time. */
const [count, lanes] = [1_000, 8];

type Name = 'A' | 'B' | 'C';

interface Sent {
	messageId: string;
	/** 0: no answer of a trigger. */
	status: number;
	/** Published from before it was sent until after it was answered. */
	published: Name[];
}

let hosts: [LastingHost, LastingHost];
let account: Account;
let crm: Crm;
let workflows: Record<Name, TriggerWorkflow>;

beforeAll(async () => {
	const start = async () => await startLastingHost({ env: testEnvironment });
	hosts = [await start(), await start()];
	crm = await startCrm();
	account = await Account.open(hosts[0].client);
	const elsewhere = await account.in(hosts[1].client);
	account.sandbox.webhook = { url: crm.url, enabled: true };
	const create = async (name: Name, index: 0 | 1) =>
		await TriggerWorkflow.create(hosts[index], [account, elsewhere][index]!, {
			name,
			conflict: 'share',
		});
	workflows = { A: await create('A', 0), B: await create('B', 1), C: await create('C', 0) };
});
afterAll(async () => {
	for (const host of hosts) await host.remove();
	await account.close();
	await crm.close();
});

async function deliver(messageId: string): Promise<number> {
	try {
		const response = await postJson(account.url, { messageId });
		return (await response.text()) === starting ? 0 : response.status;
	} catch {
		return 0;
	}
}

/** How often each message has come. */
function tally(ids: Array<string | undefined>): Map<string | undefined, number> {
	const times = new Map<string | undefined, number>();
	for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
	return times;
}

it('each delivery reaches all, exactly once', async () => {
	/** Since which change each is published. */
	const published = new Map<Name, object>();
	const sent: Sent[] = [];
	const taken = () => sent.filter(({ status }) => status >= 200 && status < 300).length;

	const change = (name: Name) => ({
		publish: async () => {
			await workflows[name].publish();
			published.set(name, {});
		},
		unpublish: async () => {
			published.delete(name);
			await workflows[name].unpublish();
		},
	});
	const steps: Array<() => Promise<void>> = [
		change('A').publish,
		change('B').publish,
		change('C').publish,
		change('A').unpublish, // the lowest
		change('A').publish,
		async () => {
			await hosts[0].stop();
			await hosts[0].startAgain();
		},
		change('C').unpublish, // in the middle
		async () => {
			await hosts[1].kill();
			await hosts[1].startAgain();
		},
		change('C').publish,
		change('B').unpublish,
		change('B').publish,
		change('A').unpublish,
	];

	let isOver = false;
	const lane = async () => {
		while (!isOver) {
			const messageId = `m-${sent.length}`;
			const before = new Map(published);
			const entry: Sent = { messageId, status: 0, published: [] };
			sent.push(entry);
			entry.status = await deliver(messageId);
			entry.published = [...before]
				.filter(([name, since]) => published.get(name) === since)
				.map(([name]) => name);
			// Not for long: what an n8n answers while it starts is seen for some hundredths of a second.
			if (entry.status < 200 || entry.status >= 300) await sleep(20);
		}
	};
	const all = Promise.all(Array.from({ length: lanes }, lane));
	for (const [index, step] of steps.entries()) {
		const share = (count * (index + 1)) / (steps.length + 1);
		await until(`${share} are answered`, () => taken() >= share, { interval: 20 });
		await step();
	}
	await until('all are answered', () => taken() >= count, { interval: 20 });
	isOver = true;
	await all;

	// The last to be published is above the other: the lower one ends first.
	await workflows.C.unpublish();
	await workflows.B.unpublish();
	expect(account.sandbox.webhook).toEqual({ url: crm.url, enabled: true });

	const idOf = (text: string) => /"messageId":"(m-\d+)"/.exec(text)?.[1];
	const atCrm = tally(crm.received.map(({ body }) => idOf(String(body))));
	const started = new Map<Name, ReturnType<typeof tally>>();
	for (const [name, workflow] of Object.entries(workflows) as Array<[Name, TriggerWorkflow]>) {
		const executions = await workflow.storedExecutions();
		started.set(name, tally(executions.map(({ data }) => idOf(JSON.stringify(data)))));
	}
	const wrong = sent.filter(({ messageId, status, published: names }) => {
		const isTaken = status >= 200 && status < 300;
		const times = [atCrm, ...started.values()].map((each) => each.get(messageId) ?? 0);
		const isOnceAt = (each: ReturnType<typeof tally>) => each.get(messageId) === 1;
		const isWhole = isOnceAt(atCrm) && names.every((name) => isOnceAt(started.get(name)!));
		return times.some((each) => each > 1) || (isTaken && !isWhole);
	});
	expect(wrong).toEqual([]);
	expect(Math.max(...[...started.values()].map((each) => each.size))).toBeGreaterThan(count / 3);
});
