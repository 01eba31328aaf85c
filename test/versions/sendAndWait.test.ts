/** A question by SMS: what a link does, genuine and forged, and an answer that comes twice. */
import { outputOf, type CredentialReference, type HostClient } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from '../e2e/sharedHost';
import { answer, asking, cameOut, linksTo, message, open, yesOrNo } from '../e2e/wait/question';

const to = '5511912345678';
const thanks = '<h1>Thank you</h1>';

let client: HostClient;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

/** Asks, and gives the link. */
async function ask(parameters: object = yesOrNo) {
	const workflow = asking(credential, 'Question', parameters as typeof yesOrNo);
	const execution = await client.run(await client.createWorkflow(workflow));
	await client.untilItWaits(execution);
	const [link = '', ...others] = linksTo(sandbox, to);
	expect(others).toEqual([]);
	return { execution, link };
}

it('opening the link decides nothing, the form does', async () => {
	const { execution, link } = await ask();
	for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST']) {
		const page = await open(link, { method });
		if (method === 'GET') {
			expect(page.html).toContain(`>${message}</p>`);
			expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
		}
	}
	await client.untilItWaits(execution);
	expect(cameOut(sandbox, to)).toEqual([]);

	expect((await answer(link, 'disapprove')).html).toContain(thanks);
	// n8n 1.x says that it has ended a moment before the answer is stored.
	let ended = await client.waitForExecution(execution);
	await until('the answer is stored', async () => {
		ended = await client.waitForExecution(execution);
		return outputOf(ended, 'Gateway').length > 0;
	});
	expect(ended).toMatchObject({ status: 'success', error: undefined });
	expect(outputOf(ended, 'Gateway')).toMatchObject([
		{ json: { data: { approved: false }, sent: { to, outcome: 'accepted' } } },
	]);
	expect((await answer(link, 'approve')).html).not.toContain(thanks);
	expect(cameOut(sandbox, to)).toHaveLength(1);
});

it('a forged link is refused', async () => {
	const { execution, link } = await ask();
	for (const forged of [
		link.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
		link.replace(/&signature=.*/, ''),
		link.replace('ask=0', 'ask=1'),
	]) {
		for (const page of [await open(forged), await answer(forged, 'approve')]) {
			expect(page.status).toBe(401);
		}
	}
	await client.untilItWaits(execution);
	await client.cancel(execution);
});

it('of two answers at the same instant, one counts', async () => {
	for (let round = 0; round < 5; round++) {
		sandbox.reset();
		const { execution, link } = await ask();
		const pages = await Promise.all([answer(link, 'approve'), answer(link, 'disapprove')]);
		const [approved, disapproved] = pages.map(({ html }) => html.includes(thanks));
		expect([approved, disapproved].filter(Boolean)).toHaveLength(1);
		expect((await client.waitForExecution(execution)).status).toBe('success');
		expect(cameOut(sandbox, to)).toMatchObject([{ data: { approved } }]);
	}
});

it('after the limit, the item goes on as it came in', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' };
	const { link } = await ask({ ...yesOrNo, options: { limitWaitTime: { values } } });
	// n8n goes on up to 75 s after it.
	await until('it has gone on', () => cameOut(sandbox, to).length > 0, { limit: 300_000 });
	expect(cameOut(sandbox, to)).toEqual([{ to }]);
	expect((await answer(link, 'approve')).html).not.toContain(thanks);
});
