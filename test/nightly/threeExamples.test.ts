/**
 * Three of the workflows in examples/, which between them reach most kinds of nodes: a form and an agent,
 * files, and a schedule with a question.
 */
import { fetchOnce } from '../../tools/host';
import { until } from '../../tools/host/until';
import { useModel } from '../e2e/agent/model';
import { ana, bruno, carla, jsonOf, parametersOf, useExamples } from '../e2e/examples/example';
import { formUrl } from '../e2e/examples/nextPage';
import { changeRows } from '../e2e/examples/tables';
import { ticking } from '../e2e/statusTrigger/workflow';
import { answer, linksTo, open } from '../e2e/wait/question';

const { host, importExample, rows, texts } = useExamples();
const text = 'Your order 4711 is ready.';
const toolParameters = { to: '+55 21 99876-5432', text };
const model = useModel(host, () => [{ toolParameters, hitlParameters: {} }]);

it('agent-sms-after-review: one SMS, after the manager agreed', async () => {
	const { client, url } = host;
	const openAiApi = model.openAi;
	const example = await importExample('agent-sms-after-review', undefined, { openAiApi });
	await example.publish();
	const request = 'Tell +55 21 99876-5432 that order 4711 is ready.';
	for (const [decision, answered] of [
		['approve', /messageId/],
		['disapprove', /rejected/i],
	] as const) {
		host.sandbox.reset();
		const [address, body] = formUrl(example, 'Request Form', [request]);
		expect((await fetchOnce(url + address, { method: 'POST', body })).status).toBe(200);
		await until('the manager is asked', () => linksTo(host.sandbox, ana).length > 0);
		const id = await client.newest(example.id);
		await client.untilItWaits(id);
		const [link = ''] = linksTo(host.sandbox, ana);
		const { html } = await open(link);
		expect(html).toContain('May the agent text +55 21 99876-5432?');
		expect(html).toContain(text);
		expect(host.sandbox.accepted({ to: bruno })).toEqual([]);

		await answer(link, decision);
		const ended = await client.waitForExecution(id);
		expect(ended.error).toBeUndefined();
		const isSent = decision === 'approve';
		expect(host.sandbox.accepted({ to: bruno })).toMatchObject(isSent ? [{ text }] : []);
		const saved = { request, answer: expect.stringMatching(answered) };
		expect((await rows('Agent answers')).at(-1)).toMatchObject(saved);
	}
	expect(await rows('Agent answers')).toHaveLength(2);
	const { description, parameters } = model.asked[0]!.tools![0]!.function;
	expect(description).toMatch(/^Sends a customer an SMS\./);
	expect(JSON.stringify(parameters)).toContain('Never guess it.');
});

it('media-and-audio-to-contact: an image and a voice message', async () => {
	const example = await importExample('media-and-audio-to-contact');
	const ended = await example.execute();
	expect(host.sandbox.accepted().map(({ channel, to }) => `${channel} ${to}`)).toEqual(
		Array(2).fill(`chatApp ${ana}`),
	);
	expect(texts().sort()).toEqual([
		'',
		'Acme: Hello Ana, here is our brochure. Reply STOP to opt out.',
	]);
	expect(jsonOf(ended, 'Send Audio')).toMatchObject([{ channel: 'chatApp', to: ana }]);
});

it('sends-in-doubt: what may have been sent is looked up, and sent again only if a person agrees', async () => {
	// Of two orders of the last number, one is accepted: it must not pass for the other.
	const numbers = [carla, ana, '(21) 99876-5432', carla];
	const check = 'Every 15 Minutes';
	const orders = numbers.map((phone, index) => ({ orderId: `order ${index}`, phone }));
	host.sandbox.fault({ to: bruno, fault: { reset: 'afterAccept' } });
	host.sandbox.fault({ to: carla, skip: 1, fault: { status: 502 } });
	const example = await importExample('sends-in-doubt', (workflow) => {
		parametersOf(workflow, 'Sample Orders').jsonOutput = JSON.stringify({ orders });
	});
	const listed = async () => {
		const list = await rows('SMS in doubt');
		return orders.map(({ orderId }) => {
			const [row = {}, ...more] = list.filter((each) => each.orderId === orderId);
			expect(more).toEqual([]);
			return `${row.outcome} ${row.settled}`.trim();
		});
	};
	for (let times = 0; times < 2; times++) {
		await example.execute();
		expect(await listed()).toEqual(['accepted', 'accepted', 'unknown', 'unknown']);
	}

	const oneFound = ['accepted', 'accepted', 'unknown was sent', 'unknown'];
	await example.publish();
	await ticking(
		host,
		'it has run three times',
		async () => (await host.client.executions(example.id)).length >= 3,
	);
	await example.runs(3);
	expect(await listed()).toEqual(oneFound);
	await example.execute(check);
	expect(await listed()).toEqual(oneFound);
	const [found] = host.sandbox.accepted({ to: bruno });
	expect((await rows('SMS in doubt')).find(({ number }) => number === bruno)).toMatchObject({
		messageId: found!.messageId,
		status: 'queued',
	});

	const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString();
	await changeRows(host.client, 'SMS in doubt', ['orderId', 'order 3'], { sentAt: twoHoursAgo });
	const notFound = [...oneFound.slice(0, 3), 'unknown not found'];
	const checks = await host.client.run(example.id, check);
	await host.client.untilItWaits(checks);
	await example.execute(check); // what was asked about is not asked about again
	await example.execute();
	expect(await listed()).toEqual(notFound);
	const [link, ...more] = linksTo(host.sandbox, ana);
	expect(more).toEqual([]);
	expect(texts().at(-1)).toMatch(/^Not found .* the SMS of order order 3\. Send again\?/);

	host.sandbox.clearFaults();
	await answer(link!, 'approve');
	expect((await host.client.waitForExecution(checks)).status).toBe('success');
	expect(await listed()).toEqual([...oneFound.slice(0, 3), 'unknown sent again']);
	await example.execute();
	await example.execute(check);
	expect(await listed()).toEqual([...oneFound.slice(0, 3), 'unknown sent again']);
	expect(host.sandbox.accepted().map(({ to }) => to)).toEqual([carla, ana, bruno, ana, carla]);
});
