import { SEEDS } from '../../../tools/sandbox';
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
	await send(sandbox(), '5511900100000'); // delivery fails
	const seen: unknown[] = [];
	for (let step = 0; step < 4; step++) {
		const items = await workflow.poll();
		seen.push(items.map(({ to, previousStatus, status }) => [to, previousStatus, status]));
		await sandbox().advance();
	}
	expect(seen).toEqual([
		[
			['5511912345678', null, 'queued'],
			['5511900100000', null, 'queued'],
		],
		[
			['5511912345678', 'queued', 'sent'],
			['5511900100000', 'queued', 'sent'],
		],
		[
			['5511912345678', 'sent', 'delivered'],
			['5511900100000', 'sent', 'error'],
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
