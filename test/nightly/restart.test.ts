/** What n8n goes on with when it was killed in between. After other ends: retry.test.ts. */
import { postJson } from '../../tools/host';
import { startLastingHost, type LastingHost } from '../../tools/host/lasting';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain, items, startedByPost } from '../../tools/shared/workflows';
import { testEnvironment } from '../e2e/environment';
import { polls, setStatuses, StatusWorkflow } from '../e2e/statusTrigger/workflow';
import { numbered, smsToEach } from '../e2e/support/workflows';
import { answer, asking, cameOut, linksTo, open, yesOrNo } from '../e2e/wait/question';

let host: LastingHost;
let changing: Sandbox;
let failing: Sandbox;
let asked: Sandbox;
let listed: Sandbox;

beforeAll(async () => {
	host = await startLastingHost({ env: testEnvironment });
	const start = async () => await startSandbox();
	[changing, failing, asked, listed] = [await start(), await start(), await start(), await start()];
});
afterAll(async () => {
	await host?.remove();
	for (const sandbox of [changing, failing, asked, listed]) await sandbox?.close();
});

const people = numbered(3).map(({ to }) => to);

async function publishStatusTrigger(sandbox: Sandbox) {
	setStatuses(sandbox, { a: 'queued', b: 'sent' });
	const workflow = await StatusWorkflow.create(host, sandbox.credential);
	await workflow.publish();
	setStatuses(sandbox, { a: 'sent', b: 'sent' });
	await workflow.isTold(1);
	return workflow;
}

/** @returns the executions that wait */
async function askAll(): Promise<string[]> {
	const credential = await host.client.createCredential(asked.credential);
	return await Promise.all(
		people.map(async (to) => {
			const id = await host.client.begin(asking(credential, 'Restart', yesOrNo, [{ to }]));
			await host.client.untilItWaits(id);
			return id;
		}),
	);
}

/** A list that is in the middle of its sixth item. */
async function sendList(): Promise<string> {
	listed.fault({ skip: 5, fault: { delayMs: 60_000 } });
	const account = { ...listed.credential, maxConcurrency: 1 };
	const credential = await host.client.createCredential(account);
	const list = chain('List', ...items(...numbered(20)), smsToEach(credential));
	const id = await host.client.publish(startedByPost('list', 'onReceived', list));
	await postJson(`${host.url}/webhook/list`);
	await until('it is there', () => listed.requests().length > 5);
	return await host.client.newest(id);
}

describe('after a kill', () => {
	let change: StatusWorkflow;
	let failure: StatusWorkflow;
	let questions: string[];
	let list: string;

	beforeAll(async () => {
		change = await publishStatusTrigger(changing);
		failure = await publishStatusTrigger(failing);
		questions = await askAll();
		list = await sendList();
		await host.kill();
		await expect(open(linksTo(asked, people[0]!)[0]!)).rejects.toThrow();
		listed.clearFaults();
		setStatuses(changing, { a: 'sent', b: 'delivered', c: 'queued' });
		setStatuses(failing, { a: 'delivered', b: 'sent' });
		failing.fault({ fault: { status: 503 } });
		await host.startAgain();
	});

	it('the status trigger tells what has changed meanwhile, each change once', async () => {
		await change.isTold(3);
		await polls(host, changing, 3);
		const told = ['a queued → sent', 'b sent → delivered', 'c null → queued'];
		expect(await change.told()).toEqual(told);
		await change.unpublish();
	});

	it('a status trigger stays active where the service is down at the start, and says so', async () => {
		await until('it says so', async () => (await failure.executions()).length > 1);
		failing.clearFaults();
		await failure.isTold(2);
		expect(await failure.told()).toEqual(['a queued → sent', 'a sent → delivered']);
		const statuses = (await failure.executions()).map(({ status }) => status);
		expect(statuses.filter((status) => status !== 'error')).toEqual(['success', 'success']);
		await failure.unpublish();
	});

	it('all questions go on once, and nobody is asked twice', async () => {
		for (const [index, to] of people.entries()) {
			const [link = '', ...others] = linksTo(asked, to);
			expect(others).toEqual([]);
			expect((await open(link)).html).toContain('<form');
			const approved = index % 2 === 0;
			const { title } = await answer(link, approved ? 'approve' : 'disapprove');
			expect(title).toContain('Answer recorded');
			const { status } = await host.client.waitForExecution(questions[index]!);
			expect(status).toBe('success');
			expect(cameOut(asked, to)).toMatchObject([{ data: { approved } }]);
			expect(linksTo(asked, to)).toHaveLength(1);
		}
	});

	it('Retry sends nothing of a list of which n8n has no record, and says so', async () => {
		await host.client.waitForExecution(list);
		const { length: requests } = listed.requests();
		const retried = await host.client.waitForExecution(await host.client.retry(list));
		expect(retried.error?.message).toMatch(/^The message may have been sent: n8n kept no record/);
		expect(listed.requests()).toHaveLength(requests);
	});
});
