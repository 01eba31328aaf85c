import { SEEDS, type FaultRule } from '../../../tools/sandbox';
import { StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
const campaignId = 'c-1';

const set = (status: string) =>
	sandbox().setCampaign({
		channel: 'sms',
		campaignId,
		messages: [{ messageId: 'a', to: '5511912345678', status }],
	});

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0); // the shortest waits
	set('queued');
});
afterEach(() => jest.restoreAllMocks());

it.each<[string, FaultRule, string]>([
	['the service is down', { fault: { status: 503 } }, 'not available right now (HTTP 503)'],
	['the connection breaks', { fault: { reset: 'beforeAccept' } }, 'ended without an answer'],
	['the answer is cut off', { fault: { truncate: true } }, 'ended without an answer'],
	['the answer is a web page', { fault: { html: true, status: 200 } }, 'something other than JSON'],
	['the campaign is missing', { fault: { refuse: 'Campanha não encontrada.' } }, '[Campaign c-1]'],
])('%s: reported once, and the change afterwards', async (_, rule, expected) => {
	const parameters = { event: 'messageStatusChanged', channel: 'sms', campaignIds: campaignId };
	const workflow = new StatusWorkflow(sandbox(), parameters);
	await workflow.publish();
	const stored = structuredClone(workflow.staticData);
	set('sent');
	sandbox().fault(rule);
	for (let poll = 0; poll < 2; poll++) expect(await workflow.poll()).toEqual([]);
	await workflow.publish('init'); // does not throw
	expect(await workflow.poll()).toEqual([]);
	expect(workflow.staticData).toEqual(stored);
	expect(workflow.failures).toEqual([expect.stringContaining(expected)]);
	sandbox().clearFaults();
	expect(await workflow.poll()).toMatchObject([{ previousStatus: 'queued', status: 'sent' }]);
});

it('shows no key or token in what it stores, reports and logs', async () => {
	const { apiKey, instanceToken } = sandbox().credential;
	for (const event of ['messageStatusChanged', 'connectionChanged']) {
		const campaignIds = SEEDS.campaigns.chatApp.running;
		const workflow = new StatusWorkflow(sandbox(), { event, channel: 'chatApp', campaignIds });
		await workflow.publish();
		sandbox().fault({ fault: { status: 500, body: { detail: `${apiKey} ${instanceToken}` } } });
		await workflow.poll();
		sandbox().clearFaults();
		expect(workflow.failures).toHaveLength(1);
		const seen = JSON.stringify([workflow.staticData, workflow.failures, workflow.logs()]);
		for (const secret of [apiKey, instanceToken]) expect(seen).not.toContain(secret);
	}
});
