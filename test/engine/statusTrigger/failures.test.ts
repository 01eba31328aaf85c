import { SEEDS, type FaultRule } from '../../../sandbox';
import { StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
const campaignId = 'c-1';

const set = (status: string) =>
	sandbox().setCampaign({
		channel: 'sms',
		campaignId,
		messages: [{ messageId: 'a', to: '5511912345678', status }],
	});

const watch = (more = {}) =>
	new StatusWorkflow(sandbox(), {
		event: 'messageStatusChanged',
		channel: 'sms',
		campaignIds: campaignId,
		...more,
	});

beforeEach(() => set('queued'));

it.each<[string, FaultRule, string]>([
	['the service is down', { fault: { status: 503 } }, 'not available right now (HTTP 503)'],
	['it breaks off', { fault: { reset: 'beforeAccept' } }, 'ended without an answer'],
	['half an answer comes', { fault: { truncate: true } }, 'ended without an answer'],
	['a page comes', { fault: { html: true, status: 200 } }, 'something other than JSON'],
	['too many requests', { fault: { tooMany: true } }, 'too many requests'],
	['the key is refused', { fault: { refuse: 'Token inválido.' } }, 'rejected the credential'],
	['the campaign is gone', { fault: { refuse: 'Campanha não encontrada.' } }, '[Campaign c-1]'],
])('%s: said once, and the change is told afterwards', async (_, rule, expected) => {
	const workflow = watch();
	await workflow.publish();
	const stored = structuredClone(workflow.staticData);
	set('sent');
	sandbox().fault(rule);
	for (let look = 0; look < 3; look++) expect(await workflow.look()).toEqual([]);
	expect(workflow.staticData).toEqual(stored);
	expect(workflow.failures).toEqual([expect.stringContaining(expected)]);
	sandbox().clearFaults();
	expect(await workflow.look()).toMatchObject([{ previousStatus: 'queued', status: 'sent' }]);
	expect(workflow.failures).toHaveLength(1);
});

it('does not mind a fault that passes within a look', async () => {
	const workflow = watch();
	await workflow.publish();
	set('sent');
	sandbox().fault({ times: 2, fault: { status: 500 } });
	expect(await workflow.look()).toMatchObject([{ status: 'sent' }]);
	expect(workflow.failures).toEqual([]);
});

it('asks nothing while the service wants to be left alone', async () => {
	const workflow = watch();
	await workflow.publish();
	sandbox().fault({ fault: { tooMany: true, retryAfter: 3600 } });
	await workflow.look();
	const asked = sandbox().requests().length;
	sandbox().clearFaults();
	for (let look = 0; look < 3; look++) expect(await workflow.look()).toEqual([]);
	expect(sandbox().requests()).toHaveLength(asked);
	expect(workflow.failures).toEqual([expect.stringContaining('too many requests')]);
});

it('is not published while the service wants to be left alone, however often n8n tries', async () => {
	const workflow = watch();
	sandbox().fault({ times: 1, fault: { tooMany: true, retryAfter: 7200 } });
	for (let attempt = 0; attempt < 5; attempt++) {
		await expect(workflow.publish()).rejects.toThrow('too many requests');
	}
	expect(sandbox().requests()).toHaveLength(1);
	expect(workflow.staticData).toEqual({});
});

it('is not published with a key that is refused, or a campaign that is not there', async () => {
	await expect(
		new StatusWorkflow(sandbox(), watch().parameters, { apiKey: 'wrong' }).publish(),
	).rejects.toThrow('Token inválido.');
	await expect(watch({ campaignIds: `${campaignId}, c-2` }).publish()).rejects.toThrow(
		'"Campanha não encontrada." [Campaign c-2]',
	);
});

it('is active after a start at which the service is down', async () => {
	const workflow = watch();
	await workflow.publish();
	set('sent');
	sandbox().fault({ fault: { refuse: 'Token inválido.' } });
	await workflow.restart(); // does not throw
	expect(workflow.failures).toEqual([]);
	await workflow.look();
	await workflow.look();
	expect(workflow.failures).toHaveLength(1);
	sandbox().clearFaults();
	expect(await workflow.look()).toMatchObject([{ status: 'sent' }]);
});

it('reads hundreds of campaigns, of which one is gone', async () => {
	const ids = Array.from({ length: 200 }, (_, index) => `many-${index}`);
	const setAll = (status: string) =>
		ids.forEach((id) =>
			sandbox().setCampaign({
				channel: 'sms',
				campaignId: id,
				messages: [{ messageId: `${id}-a`, to: '5511912345678', status }],
			}),
		);
	setAll('queued');
	const workflow = watch({ campaignIds: ids.join(', ') });
	await workflow.publish();
	setAll('sent');
	sandbox().removeCampaign('sms', 'many-7');
	const items = await workflow.look();
	expect(items.map(({ campaignId: of }) => of)).toEqual(ids.filter((id) => id !== 'many-7'));
	expect(workflow.failures).toEqual([]);
	expect(await workflow.look()).toEqual([]);
	expect(workflow.failures).toEqual([expect.stringContaining('[Campaign many-7]')]);
	expect(SEEDS.campaigns.sms.running).toBeDefined();
});
