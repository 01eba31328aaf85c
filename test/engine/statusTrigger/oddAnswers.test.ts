/** Answers that say yes and lack what was asked for: nothing old is told as new. */
import type { IDataObject } from 'n8n-workflow';
import { StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();

const answer = (body: unknown) => {
	sandbox().clearFaults();
	sandbox().fault({ fault: { status: 200, body } });
};

const message = (messageId: string, status: string) => ({ messageId, status, to: '5511912345678' });
const campaign = (more: object) => ({ success: true, campaigns: [{ campaignId: 'c-1', ...more }] });
const ofMessages = (...messages: object[]) => campaign({ messages });

const watch = (event: string, campaignIds = 'c-1') =>
	new StatusWorkflow(sandbox(), { event, channel: 'sms', campaignIds });

it.each<[string, object]>([
	['null', { messages: null }],
	['nothing', {}],
	['an object', { messages: {} }],
	['an empty list, where there are some', { messages: [], statistics: { total: 2 } }],
])('a first look that has %s for the messages does not count', async (_, odd) => {
	const workflow = watch('messageStatusChanged');
	answer(campaign(odd));
	await expect(workflow.publish()).rejects.toThrow('This campaign came without its messages');
	await workflow.restart();
	answer(ofMessages(message('a', 'sent'), message('b', 'queued')));
	await workflow.look();
	expect(workflow.items).toEqual([]);
	answer(ofMessages(message('a', 'sent'), message('b', 'sent')));
	expect(await workflow.look()).toMatchObject([{ messageId: 'b', previousStatus: 'queued' }]);
});

it('statuses are the same in upper and lower case, and told once', async () => {
	const workflow = watch('messageStatusChanged');
	answer(ofMessages(message('a', 'queued')));
	await workflow.publish();
	const steps = Array.from({ length: 12 }, (_, index) => `Step ${index}`);
	for (const status of [...steps, ...steps.map((step) => step.toUpperCase()), 'QUEUED']) {
		answer(ofMessages(message('a', status)));
		await workflow.look();
	}
	expect(workflow.items.map(({ status }) => status)).toEqual(steps);
});

it('of campaigns that do not tell their IDs none is taken; an ID entered twice is one', async () => {
	const workflow = watch('messageStatusChanged', 'c-1, c-2');
	answer({ campaigns: [{ messages: [message('a', 'queued')] }, { messages: [] }] });
	await expect(workflow.publish()).rejects.toThrow('without what was asked for');
	const twice = watch('messageStatusChanged', 'c-1, C-1');
	answer(ofMessages(message('a', 'queued')));
	await twice.publish();
	answer(ofMessages(message('a', 'sent')));
	expect(await twice.look()).toHaveLength(1);
});

it.each<[string, IDataObject[]]>([
	['without IDs', [{ name: 'One' }, { name: 'Two' }]],
	['that is empty', []],
])('a list of API keys %s, twice, tells nothing', async (_, odd) => {
	const workflow = watch('apiKeyChanged');
	const keys = ['a', 'b', 'c'].map((id) => ({ id, status: id === 'c' ? 'revoked' : 'active' }));
	answer(keys);
	await workflow.publish();
	for (const body of [odd, odd, odd, keys, keys]) {
		answer(body);
		await workflow.look();
	}
	expect(workflow.items).toEqual([]);
	expect(workflow.failures).toHaveLength(1);
});

it.each<[boolean, object]>([
	[true, { statistics: { total: '2', queued: '0', delivered: '1', errors: '1' } }],
	[false, { statistics: { total: '2', queued: '1', delivered: '1', errors: '0' } }],
	[false, { messages: [message('a', 'delivered'), message('b', 'scheduled')] }],
	[false, { messages: [message('a', 'delivered'), message('b', 'lida')] }],
	[true, { messages: [message('a', 'delivered'), message('b', 'error')] }],
])('finished is %s where the campaign has %j', async (isFinished, more) => {
	const workflow = watch('campaignFinished');
	answer(campaign({ statistics: { total: 2, queued: 2, delivered: 0, errors: 0 } }));
	await workflow.publish();
	answer(campaign(more));
	expect(await workflow.look()).toHaveLength(isFinished ? 1 : 0);
});

it('campaigns that vanish one by one hold back the changes of another for a look in four', async () => {
	const ids = Array.from({ length: 20 }, (_, index) => `gone-${index}`);
	const set = (campaignId: string, ...messages: Array<ReturnType<typeof message>>) =>
		sandbox().setCampaign({ channel: 'sms', campaignId, messages });
	ids.forEach((id) => set(id, message(id, 'sent')));
	set('busy', message('m', 'sent'));
	const workflow = watch('messageStatusChanged', ['busy', ...ids].join(','));
	await workflow.publish();
	const messages = [message('m', 'sent')];
	let heldBack = 0;
	for (const id of ids) {
		sandbox().removeCampaign('sms', id);
		messages.push(message(`m-${id}`, 'sent'));
		set('busy', ...messages);
		if ((await workflow.look()).length === 0) heldBack++;
	}
	await workflow.look();
	expect(workflow.items.map(({ messageId }) => messageId)).toEqual(ids.map((id) => `m-${id}`));
	expect({ heldBack, said: workflow.failures.length }).toEqual({ heldBack: 5, said: 5 });
});
