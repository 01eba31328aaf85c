/** How a send's values are read: texts, numbers that are kept, body fields. */
import type { IDataObject } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';
import { DEFAULT_NAMES, loadDocument } from '../../../tools/sandbox/document';
import { digits, jsonOf, sends, to, useGateway, type ActionOptions } from './support';

const gateway = useGateway();

/** The error of an item that can't be sent: nothing leaves. */
async function refusal(id: (typeof sends)[number], action: ActionOptions) {
	const { error } = await gateway.run(id, action);
	expect(gateway.sandbox.requests()).toEqual([]);
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	expect(error?.description).toBeTruthy();
	return error?.message;
}

describe('what no message can contain is taken off', () => {
	const cut = 'Obrigado 😀'.slice(0, -1); // amid the emoji
	it.each([
		['the half of an emoji that a cut leaves', cut, 'Obrigado '],
		['its other half', '\ude00 Obrigado', ' Obrigado'],
		['NUL and other control characters', 'Obri\0ga\u0007do\u009d', 'Obrigado'],
		['nothing of whole ones, and no breaks', '😀\tOi\r\n', '😀\tOi\r\n'],
	])('%s', async (_, text, sent) => {
		const sms = await gateway.run('sendSms', { parameters: { text } });
		await gateway.run('sendMedia', { parameters: { caption: text } });
		const texts = gateway.sandbox.accepted().map((message) => message.text);
		expect(texts).toEqual([sent, sent]);
		expect(jsonOf(sms)).toMatchObject([{ encoding: sent.includes('😀') ? 'UCS-2' : 'GSM-7' }]);
	});

	it('a text of nothing else is empty', async () => {
		const text = '={{ "😀".slice(0, 1) }}';
		expect(await refusal('sendSms', { parameters: { text } })).toContain("'Text'");
	});
});

/** Fields of text, each with what makes it an expression. */
const textFields: Record<string, (code: string) => [(typeof sends)[number], ActionOptions]> = {
	Text: (text) => ['sendSms', { parameters: { text } }],
	Caption: (caption) => ['sendMedia', { parameters: { caption } }],
	Message: (message) => ['sendSms', { parameters: { operation: 'sendAndWait', message } }],
	Key: (key) => ['sendSms', { options: onceBy(key) }],
	To: (number) => ['sendSms', { parameters: { to: number } }],
};
const date = new Date('2026-11-29T12:00:00Z');

describe.each(Object.entries(textFields))("'%s' refuses", (name, field) => {
	it.each(['={{ $json.date }}', '={{ $json.id }}-{{ $json.date }}', "={{ 'x' + $json.date }}"])(
		'a date by %s, which is another text in a stored execution',
		async (code) => {
			const [id, action] = field(code);
			const { error } = await gateway.run(id, { ...action, items: [{ to, id: 1, date }] });
			expect(gateway.sandbox.requests()).toEqual([]);
			expect(error?.message).toContain(`'${name}' contains '${String(date).slice(0, 33)}'`);
			expect(error?.description).toContain('Format the date: {{ $json.createdAt.toDateTime()');
		},
	);

	it.each([true, false])('%j', async (value) => {
		const [id, action] = field('={{ $json.value }}');
		expect(await refusal(id, { ...action, items: [{ to, value }] })).toBe(`'${name}' is not text`);
	});
});

describe("a date is the same in n8n's Retry, which has its ISO text", () => {
	const words = `It was ${String(date)}`;
	it.each([
		[
			"=On {{ $json.date.toDateTime().setZone('America/Sao_Paulo').toFormat('dd/MM/yyyy') }}",
			'On 29/11/2026',
		],
		['={{ $json.date.toDateTime().toMillis() }}', '1795953600000'],
		['={{ $json.words }}', words], // the item's own text
		["={{ $json.words + '!' }}", `${words}!`],
	])('%s', async (text, sent) => {
		gateway.sandbox.fault({ fault: { status: 422, body: { detail: 'No' } } });
		const action = { parameters: { text } };
		const failed = await gateway.run('sendSms', { ...action, items: [{ to, date, words }] });
		expect(failed.error).toBeDefined();
		gateway.sandbox.clearFaults();
		expect(jsonOf(await gateway.retry(failed, 'sendSms', action))).toMatchObject([{ to }]);
		const texts = gateway.sandbox.requests().map(({ body }) => (body as IDataObject).msg);
		expect(texts).toEqual([sent, sent]);
	});
});

describe("'To'", () => {
	it('that is kept as entered is what a key is for: two groups are two', async () => {
		const body = [{ success: true, messageId: 'message-1', status: 'pending' }];
		gateway.sandbox.fault({ fault: { status: 200, body } }); // the document knows no groups
		const run = await gateway.run('sendSms', {
			items: ['group-1@g.us', 'list-1@g.us'].map((each) => ({ to: each, order: 1 })),
			options: { keepNumberAsEntered: true, ...onceBy('={{ "order" + $json.order }}') },
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(run)).toMatchObject([
			{ to: 'group-1@g.us' },
			{ error: { message: expect.stringContaining('was used for a message to another number') } },
		]);
		expect(gateway.onlyRequest().body).toMatchObject({ to: 'group-1@g.us' });
	});

	const plus = '={{ $json.plus }}{{ $json.phone }}';
	const parts = '={{ $json.code }}{{ $json.area }}{{ $json.phone }}';
	const choice = "={{ $json.area ?? '' }}{{ $json.phone }}";
	const phone = '51998765432'; // of Porto Alegre, or with a + of Peru

	it.each<[string, IDataObject, string, string | undefined]>([
		['=+{{ $json.code }}{{ $json.phone }}', { phone }, '55', undefined],
		['=00{{ $json.code }}{{ $json.phone }}', { phone }, '55', undefined],
		['=tel:+{{ $json.code }}{{ $json.phone }}', { phone }, '55', undefined],
		[plus, { phone }, '55', undefined],
		[plus, { plus: '', phone }, 'included', undefined],
		[parts, { code: '51', phone: '987654321' }, 'included', undefined],
		[plus, { plus: '+', phone }, '55', phone],
		[plus, { plus: '00', phone }, '55', phone],
		['={{ $json.name }} {{ $json.phone }}', { phone: '+5511912345678' }, '55', '5511912345678'],
		['={{ $json.phone }} {{ $json.note }}', { phone: '11912345678' }, '55', '5511912345678'],
		[choice, { phone: '11912345678' }, '55', '5511912345678'],
		[parts, { code: '51', area: '98', phone: '7654321' }, 'included', '51987654321'],
	])('%s of %j with %s is sent to %s, or lacks a part', async (to, item, home, sent) => {
		const credential = { defaultCountryCode: home };
		const { error } = await gateway.run('sendSms', {
			parameters: { to },
			items: [item],
			credential,
		});
		const said = "A part of 'To' has no value for this item";
		expect(error?.message).toEqual(sent ? undefined : expect.stringContaining(said));
		const bodies = gateway.sandbox.requests().map(({ body }) => body);
		expect(bodies).toMatchObject(sent ? [{ to: sent }] : []);
	});
});

describe("'Extra Fields (JSON)'", () => {
	const names = { ...DEFAULT_NAMES, chatAppName: 'zap', audioScheduleField: 'sendLater' };
	const { schemas } = loadDocument(names).components;
	const bodies = {
		sendSms: schemas.SmsRequest,
		sendMedia: schemas.MediaMessage,
		sendAudio: schemas.AudioMessageRequest,
	};
	/** The time may be set in the service's own format: sending.test.ts. */
	const times = ['schedule', 'scheduled_at', 'sendLater'];
	const own = Object.entries(bodies).flatMap(([id, { properties }]) =>
		Object.keys(properties)
			.filter((name) => !times.includes(name))
			.map((name) => [id as keyof typeof bodies, name] as const),
	);

	// Written into JSON text, a visitor's name can end the text and begin another field.
	it.each(own)('of %s cannot set %s', async (id, name) => {
		const visitor = `x","${name}":"EVIL`;
		const { error } = await gateway.run(id, {
			items: [{ to, visitor }],
			options: { extraFields: '={ "sender": "{{ $json.visitor }}" }' },
			credential: { chatAppName: 'zap', audioScheduleField: 'sendLater' },
		});
		expect(error?.message).toBe(`'Extra Fields (JSON)' must not contain '${name}'`);
		expect(error?.description).toContain('This node sets it from its own fields');
		expect(error?.description).toContain('{{ { sender: $json.name } }}');
		expect(gateway.sandbox.requests()).toEqual([]);
	});

	// The document knows no such field, so the sandbox records it and refuses it.
	it.each(['{ "sender": "A" }', '={{ { sender: "A" } }}', '={{ \'{"sender":"A"}\' }}'])(
		'%s goes into the body, for media into the message',
		async (extraFields) => {
			for (const id of sends) await gateway.run(id, { options: { extraFields } });
			for (const { operationId, body } of gateway.sandbox.requests()) {
				const fields = operationId === 'sendMedia' ? (body as IDataObject).message : body;
				expect([operationId, fields]).toMatchObject([operationId, { to: digits, sender: 'A' }]);
				if (fields !== body) expect(body).not.toHaveProperty('sender');
			}
		},
	);
});
