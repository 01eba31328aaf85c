import { SEEDS } from '../../../sandbox';
import { send, StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
const { running, finished } = SEEDS.campaigns.sms;
const parameters = {
	event: 'messageStatusChanged',
	channel: 'sms',
	campaignIds: `${finished}\n${running}`,
};

afterEach(() => {
	expect(sandbox().requests({ valid: false })).toEqual([]);
});

it('follows messages as the service moves them on', async () => {
	const workflow = new StatusWorkflow(sandbox(), parameters);
	await workflow.publish();
	await send(sandbox(), '5511912345678');
	await send(sandbox(), '5511900000000'); // is never delivered
	const seen: unknown[] = [];
	for (let step = 0; step < 4; step++) {
		const items = await workflow.poll();
		seen.push(items.map(({ to, previousStatus, status }) => [to, previousStatus, status]));
		await sandbox().advance();
	}
	expect(seen).toEqual([
		[
			['5511912345678', null, 'queued'],
			['5511900000000', null, 'queued'],
		],
		[
			['5511912345678', 'queued', 'sent'],
			['5511900000000', 'queued', 'sent'],
		],
		[
			['5511912345678', 'sent', 'delivered'],
			['5511900000000', 'sent', 'error'],
		],
		[],
	]);
});

it('takes the campaigns from an expression', async () => {
	for (const campaignIds of [
		`={{ ['${finished}', '${running}'] }}`,
		`={{ '${finished}, ${running}' }}`,
	]) {
		sandbox().reset();
		await new StatusWorkflow(sandbox(), { ...parameters, campaignIds }).publish();
		const asked = sandbox()
			.requests()
			.map(({ query }) => query.campaignId);
		expect(asked.sort()).toEqual([finished, running].sort());
	}
});

it("'Fetch Test Event' leaves the state alone", async () => {
	const workflow = new StatusWorkflow(sandbox(), parameters);
	const sample = [{ status: 'delivered', previousStatus: null }];
	expect(await workflow.fetchTestEvent()).toMatchObject(sample);
	expect(workflow.staticData).toEqual({});
	await workflow.publish();
	const stored = structuredClone(workflow.staticData);
	expect(await workflow.fetchTestEvent()).toMatchObject(sample);
	expect(workflow.staticData).toEqual(stored);
});

it('tells of an API key that is added, revoked, gone; with its mask', async () => {
	const workflow = new StatusWorkflow(sandbox(), { event: 'apiKeyChanged' });
	await workflow.publish();
	const before = sandbox().apiKeys;
	const key = 'sandbox-api-key-0000111122223333';
	const added = { id: 'key-new', name: 'Nova', channel: 'sms', status: 'active', key };
	const masked_key = '•'.repeat(key.length - 4) + '3333';
	const simple = { id: 'key-new', name: 'Nova', channel: 'sms', masked_key };

	sandbox().apiKeys = [...before, added];
	expect(await workflow.poll()).toEqual([{ change: 'added', ...simple, status: 'active' }]);
	sandbox().apiKeys = [...before, { ...added, status: 'revoked' }];
	expect(await workflow.poll()).toEqual([{ change: 'revoked', ...simple, status: 'revoked' }]);
	sandbox().apiKeys = before;
	expect(await workflow.poll()).toEqual([]);
	expect(await workflow.poll()).toEqual([{ change: 'vanished', ...simple, status: 'revoked' }]);
});
