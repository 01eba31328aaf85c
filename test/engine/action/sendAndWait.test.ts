/** A question by SMS: what is sent, what waits, what the page takes and what comes out. */
import type { IDataObject, INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { retryNode, startNode, startWaiting, type Waiting } from '../harness';
import { logs } from '../harness/instance';
import { digits, to, until, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const waiting: Waiting[] = [];
afterEach(async () => {
	await Promise.all(waiting.splice(0).map(async ({ close }) => await close()));
});

const message = 'May we deliver tomorrow?';
const question = { resource: 'message', operation: 'sendAndWait', to, message };
const single = { values: { approvalType: 'single' } };
const double = { values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' } };
const choices = { values: [{ label: 'Morning' }, { label: 'Noon & after' }] };

type Options = Omit<ActionOptions, 'parameters'> &
	Partial<Pick<Parameters<typeof startWaiting>[0], 'lock' | 'fails' | 'holds'>>;

/** Sends a question. */
async function ask(parameters: INodeParameters = {}, more: Options = {}) {
	const { options = {}, credential, rules, items = [{ to }], ...rest } = more;
	const asked = await startWaiting({
		...rest,
		items,
		parameters: { ...question, to: '={{ $json.to }}', ...parameters, options },
		credential: { ...gateway.sandbox.credential, maxRetries: 0, ...credential, ...rules } as never,
	});
	waiting.push(asked);
	return asked;
}

/** Where n8n keeps the question with the execution. */
const storeIn = ({ executionData }: IRunExecutionData) =>
	Object.values(executionData!.contextData)[0] as { question: string };

/** The address in the message that was sent last. */
function link(): string {
	const { text } = gateway.sandbox.accepted().at(-1)!;
	return text.split('\n').at(-1)!;
}

const post = (fields: Record<string, string> | string): RequestInit => ({
	method: 'POST',
	body: new URLSearchParams(fields),
});
const approval = post({ answer: 'approve' });

/** Answers the question, and lets the execution go on. @returns what comes out */
async function answer(asked: Waiting, value: string): Promise<IDataObject | undefined> {
	const headers = { 'accept-language': 'pt-BR' };
	const { status, body } = await asked.open(link(), { ...post({ answer: value }), headers });
	expect([status, body]).toEqual([200, expect.stringContaining('<h1>Resposta registrada</h1>')]);
	expect(asked.resumed).toEqual([[expect.objectContaining({ pairedItem: { item: 0 } })]]);
	const [item, ...others] = await asked.resume();
	expect(others).toEqual([]);
	return item?.json;
}

const approves = async (asked: Waiting) =>
	expect(await answer(asked, 'approve')).toMatchObject({ data: { approved: true } });

/** The page stays what it is, and the execution goes on waiting. */
async function decidesNothing(
	asked: Waiting,
	status: number,
	said: string,
	requests: RequestInit[] = [{}, approval],
) {
	for (const request of requests) {
		const opened = await asked.open(link(), request);
		expect([opened.status, opened.body]).toEqual([status, expect.stringContaining(said)]);
	}
	expect(asked.resumed).toEqual([]);
}

const respondedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const sent = {
	messageId: expect.any(String),
	status: 'pending',
	channel: 'sms',
	to,
	segments: 2,
	encoding: 'GSM-7',
	sentAt: expect.any(String),
	success: true,
	message: 'SMS aceito.',
	outcome: 'accepted',
};

describe('a question', () => {
	it('is one SMS with a link, and lets the execution wait', async () => {
		const { run, url } = await ask();
		expect(run).toMatchObject({ status: 'waiting', error: undefined });
		expect(run.waitTill?.getFullYear()).toBe(3000);
		expect(run.outputs[0]?.map(({ json }) => json)).toEqual([{ sent }]);
		const request = gateway.onlyRequest();
		expect(request).toMatchObject({ operationId: 'sendSms', valid: true });
		expect(request.body).toEqual({ to: digits, msg: expect.any(String), tiposms: '1' });
		const [first, address] = (request.body as { msg: string }).msg.split('\n');
		expect(first).toBe(message);
		expect(address).toMatch(
			new RegExp(`^${url}/webhook-waiting/\\d+/workflow-1-node\\?ask=0&signature=[0-9a-f]{64}$`),
		);
		const { apiKey, instanceToken } = gateway.sandbox.credential;
		const stored = JSON.stringify(run.data.executionData?.contextData);
		expect(stored).toContain(message);
		for (const secret of [apiKey, instanceToken, 'signature']) expect(stored).not.toContain(secret);
	});

	it.each<[string, INodeParameters, string, object]>([
		['approval', {}, 'disapprove', { approved: false }],
		['approval', { approvalOptions: single }, 'approve', { approved: true }],
		['approval', { approvalOptions: double }, 'disapprove', { approved: false }],
		['choice', { choices }, '1', { choice: 'Noon & after' }],
		['freeText', {}, ' <b>12</b>\r\nOk ', { text: '<b>12</b>\nOk' }],
	])('%s %j answered with %j', async (responseType, parameters, value, data) => {
		const asked = await ask({ responseType, ...parameters });
		const json = await answer(asked, value);
		expect(json).toEqual({ data: { ...data, respondedAt }, sent });
	});

	it('is shown as it was asked, in the language of the browser, whatever its node is called', async () => {
		const more = { options: { responseFormTitle: ' Entrega ' }, name: '{{ "Ask }} \\" me" }}' };
		const asked = await ask({ message: '={{ $json.to }} {{ Math.random() }}' }, more);
		const [text] = gateway.sandbox.accepted()[0]!.text.split('\n');
		const headers = { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' };
		const { body } = await asked.open(link(), { headers });
		expect(body).toContain('<html lang="pt-BR">');
		expect(body).toContain(`>Entrega</h1>\n<p class="question" lang="" dir="auto">${text}</p>`);
	});
});

describe('the page', () => {
	it('has what keeps it out of caches, indexes, frames and the hands of scripts', async () => {
		const asked = await ask();
		for (const request of [{}, post({}), approval]) {
			const { headers, body } = await asked.open(link(), request);
			expect(Object.fromEntries(headers)).toMatchObject({
				'content-type': 'text/html; charset=utf-8',
				'cache-control': 'no-store',
				'x-robots-tag': expect.stringContaining('noindex') as string,
				'referrer-policy': 'no-referrer',
				'x-content-type-options': 'nosniff',
				'content-security-policy': expect.stringMatching(
					/^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'.*frame-ancestors 'none'/,
				) as string,
			});
			expect(body).not.toMatch(/<script|<link|<img|javascript:|\son\w+=|\sstyle=/);
		}
	});

	it.each<[string, INodeParameters, RequestInit]>([
		['nothing', {}, { method: 'POST' }],
		['a text', {}, { ...post('approve'), headers: { 'content-type': 'text/plain' } }],
		['no text', { responseType: 'freeText' }, post({ answer: ' \r\n' })],
	])('decides nothing on a POST of %s, and says so', async (_, form, request) => {
		const asked = await ask(form);
		await decidesNothing(asked, 422, 'choose an answer', [request]);
		await answer(asked, 'approve');
	});

	it('says so when its question is over', async () => {
		const limitWaitTime = { values: { resumeAmount: 0.001, resumeUnit: 'minutes' } };
		const asked = await ask({}, { options: { limitWaitTime } });
		await new Promise((resolve) => setTimeout(resolve, 70));
		await decidesNothing(asked, 410, 'has expired');
	});

	const nextRound = (kept: string) => kept.replace('"ask":"0"', '"ask":"1"');
	it.each<[string, (kept: string) => string | undefined, number, string]>([
		['of an earlier round of a loop is closed', nextRound, 410, 'already answered'],
		['of an execution without a question is closed, too', () => undefined, 410, ''],
		['never throws: n8n would go on then', () => '{', 500, 'open the link again later'],
	])('%s', async (_, change, status, said) => {
		const asked = await ask();
		asked.change((data) =>
			Object.assign(storeIn(data), { question: change(storeIn(data).question) }),
		);
		await decidesNothing(asked, status, said);
		if (status === 500) expect(logs.at(-1)).toMatch(/^error: A question could not be shown: /);
	});

	it('of the second round of a loop has a link of its own', async () => {
		gateway.sandbox.fault({ times: 1, fault: { refuse: 'Token inválido.' } });
		const { run } = await ask();
		const [rounds] = Object.values(run.data.resultData.runData).filter(([task]) => task?.error);
		rounds!.unshift({ ...rounds![0]!, error: undefined }); // an earlier round that was answered
		const [ofNode] = Object.values(run.data.executionData!.contextData);
		const again = await retryNode(run, {
			executionId: (ofNode!.journal as { execution: string }).execution, // the same one goes on
			parameters: question,
			credential: gateway.sandbox.credential as never,
		});
		const { data, status } = await again.finished;
		expect(status).toBe('waiting');
		expect(new URL(link()).searchParams.get('ask')).toBe('1');
		expect(JSON.parse(storeIn(data).question)).toMatchObject({ ask: '1' });
	});

	it('takes one of two answers at the same instant, also where n8n would take both', async () => {
		const asked = await ask({ approvalOptions: double }, { lock: false });
		const both = await Promise.all(
			['approve', 'disapprove'].map(
				async (value) => await asked.open(link(), post({ answer: value })),
			),
		);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
		expect(both.find(({ status }) => status === 410)?.body).toContain('already answered');
		expect(asked.resumed).toHaveLength(1);
	});

	it('takes an answer that n8n could not go on with a second time', async () => {
		let fails = true;
		const asked = await ask({}, { fails: () => fails });
		expect((await asked.open(link(), approval)).status).toBe(500);
		fails = false;
		await approves(asked);
	});

	it('that is closed while n8n has not answered leaves the question open', async () => {
		let isBusy = true;
		let presses = 0;
		const holds = () => {
			presses++;
			return isBusy;
		};
		const asked = await ask({}, { holds });
		const page = new AbortController();
		const pressed = asked.open(link(), { ...approval, signal: page.signal });
		await until(() => presses > 0);
		expect((await asked.open(link(), approval)).status).toBe(410);
		page.abort();
		await expect(pressed).rejects.toThrow();
		isBusy = false;
		let second = await asked.open(link(), approval);
		while (second.status === 410) second = await asked.open(link(), approval);
		expect(second.body).toContain('Answer recorded');
		expect(asked.resumed).toHaveLength(1);
	});
});

describe('it is a send like any other', () => {
	it('a message that may have been sent is waited for, and says so', async () => {
		gateway.sandbox.fault({ fault: { accept: true, status: 502 } });
		const asked = await ask({}, { retryOnFail: true, rules: { maxRetries: 3 } });
		expect(asked.run.status).toBe('waiting');
		expect(gateway.sandbox.requests()).toHaveLength(1);
		const { hint, ...said } = (await answer(asked, 'approve'))!.sent as IDataObject;
		expect(said).toMatchObject({ messageId: null, to, outcome: 'unknown' });
		expect(hint).toMatch(/^The message may have been sent: .*The execution waits/);
		expect(hint).not.toMatch(/again|later/);
	});

	it("'Retry On Fail' sends again what was refused, and once", async () => {
		gateway.sandbox.fault({ times: 1, fault: { status: 400 } });
		const items = [{ to, error: 'of an earlier node' }];
		const asked = await ask({}, { retryOnFail: true, items });
		expect(asked.run.status).toBe('waiting');
		expect(gateway.sandbox.accepted()).toHaveLength(1);
		await approves(asked);
		expect(gateway.sandbox.requests()).toHaveLength(2);
	});

	it('nothing waits when the execution is stopped', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 60_000 } });
		const execution = await startNode({
			parameters: { ...question, options: {} },
			credential: gateway.sandbox.credential as never,
		});
		await until(() => gateway.sandbox.requests().length > 0);
		execution.cancel();
		expect((await execution.finished).waitTill).toBeFalsy();
	});
});

describe('a question that is not asked', () => {
	const hours = { windows: { values: [{ from: '00:00', to: '00:01', days: ['monday'] }] } };
	const onTuesday = Date.parse('2030-11-26T12:00:00Z');
	beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(onTuesday));
	const never = (outside: string) => ({ sendBetween: { values: { ...hours, outside } } });
	const rules = { doNotContactWorkflowId: 'w-1' };
	const answering = (allowed: boolean) => ({
		subWorkflow: async (asked: IDataObject[]) => asked.map((item) => ({ ...item, allowed })),
	});
	const blocked = {
		...{ skipped: true, reason: 'doNotContact' },
		explanation: expect.stringContaining('workflow'),
	};
	const outside = {
		...{ skipped: true, reason: 'outsideHours' },
		explanation: expect.stringMatching(/^It would have been sent on Tuesday/),
	};

	it.each<[string, Options, object]>([
		['on the list', { rules, ...answering(false) }, blocked],
		['outside the hours', { options: never('skip') }, outside],
		[
			"in the credential's test mode",
			{ rules: { testMode: true } },
			{ testMode: true, dryRun: true },
		],
	])('%s: the execution goes on at once, without an answer', async (_, more, why) => {
		const { run } = await ask({}, more);
		expect(run).toMatchObject({ status: 'success', waitTill: undefined });
		expect(run.outputs[0]).toMatchObject([{ json: { to, ...why }, pairedItem: { item: 0 } }]);
		expect(run.outputs[0]![0]!.json).not.toHaveProperty('data');
		expect(gateway.sandbox.requests()).toEqual([]);
	});

	it('in a dry run it is shown with its buttons, and nothing waits', async () => {
		const { run, url } = await ask({ approvalOptions: double }, { options: { dryRun: true } });
		expect(run).toMatchObject({ status: 'success', waitTill: undefined });
		const { channel, segments, encoding } = sent;
		expect(run.outputs[0]?.map(({ json }) => json)).toEqual([
			{
				...{ dryRun: true, wouldSend: true, to, person: to, country: 'BR', numberType: 'mobile' },
				...{ channel, segments, encoding },
				text: `${message}\n${url}/…`,
				buttons: ['Yes', 'No'],
			},
		]);
		expect(gateway.sandbox.requests()).toEqual([]);
	});
});

const remote = { baseUrl: 'https://gateway.invalid' };
const elsewhere = 'The recipient could not open the link to this n8n at';

it.each<[string, IDataObject, string]>([
	['http://localhost:5678', remote, `${elsewhere} http://localhost:5678`],
	['https://192.168.1.7', remote, `${elsewhere} https://192.168.1.7`],
	['http://n8n.example.com', remote, `${elsewhere} http://n8n.example.com`],
	['http://127.0.0.1:5678/tools/n8n', {}, 'contains a path: http://127.0.0.1:5678/tools/n8n'],
	['http://127.0.0.1:5678/', {}, 'contains a path: http://127.0.0.1:5678/'],
	['http://127.0.0.1:5678/webhook', {}, 'ends with /webhook, which n8n adds itself'],
	['n8n.example.com:5678', {}, 'does not begin with https:// or http://'],
])('no link is sent that no phone opens, or n8n refuses: %s', async (instanceUrl, more, said) => {
	const { run } = await ask({}, { instanceUrl, credential: more });
	expect(run.error?.message).toContain(said);
	expect(run.error?.description).toContain('N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40)');
	expect(gateway.sandbox.requests()).toEqual([]);
	expect(run.waitTill).toBeFalsy();
});

/** When no answer counts any more, as it is kept with the execution. */
function limitOf(asked: Waiting): number {
	let limit = 0;
	asked.change(
		(data) => ({ until: limit } = JSON.parse(storeIn(data).question) as { until: number }),
	);
	return limit;
}

describe('the limit', () => {
	it('is in the time zone of the workflow, and n8n waits longer than an answer counts', async () => {
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '2090-07-01T12:00:00' };
		const options = { limitWaitTime: { values } };
		const asked = await ask({}, { timezone: 'America/Sao_Paulo', options });
		const limit = limitOf(asked);
		expect(limit).toBe(Date.UTC(2090, 6, 1, 15));
		// Further than n8n takes timers into memory: this one is not there while an answer counts.
		expect(asked.run.waitTill!.getTime() - limit).toBe(75_000);
	});

	it('counts from when the message was sent, in a process that runs for long', async () => {
		const { now } = Date;
		const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 864_000_000);
		const start = Date.now();
		gateway.sandbox.fault({ fault: { delayMs: 300 } });
		const limitWaitTime = { values: { resumeAmount: 0.5, resumeUnit: 'minutes' } };
		const asked = await ask({}, { options: { limitWaitTime } });
		later.mockRestore();
		expect(limitOf(asked) - start).toBeGreaterThanOrEqual(30_290);
		expect(limitOf(asked) - start).toBeLessThan(60_000);
	});

	it('that passes while the message waits for its turn keeps it from being sent', async () => {
		gateway.sandbox.fault({ times: 1, fault: { tooMany: true, retryAfter: 3 } });
		const maxDateAndTime = new Date(Date.now() + 2_000).toISOString();
		const limitWaitTime = { values: { limitType: 'atSpecifiedTime', maxDateAndTime } };
		const { run } = await ask({}, { options: { limitWaitTime }, rules: { maxRetries: 1 } });
		expect(run.error?.message).toBe("'Limit Wait Time' ends before anybody could answer");
		expect([run.waitTill, gateway.sandbox.accepted()]).toEqual([undefined, []]);
	});
});
