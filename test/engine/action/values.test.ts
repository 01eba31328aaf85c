/** How a send's values are read: numbers, body fields, MIME types. */
import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, sends, to, useGateway, type ActionOptions } from './support';

const gateway = useGateway();

type Send = (typeof sends)[number];

/** The body that the service got; of media, the message in it. */
async function sentBody(id: Send, options: INodeParameters) {
	const { error } = await gateway.run(id, { options });
	expect(error).toBeUndefined();
	const body = gateway.onlyRequest().body as Record<string, unknown>;
	return (body.message ?? body) as Record<string, unknown>;
}

/** The error of an item that can't be sent: nothing leaves. */
async function refusal(id: Send, action: ActionOptions) {
	const { error } = await gateway.run(id, action);
	expect(gateway.sandbox.requests()).toEqual([]);
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	expect(error?.description).toBeTruthy();
	return error?.message;
}

describe("'To'", () => {
	it.each([
		'+55 (11) 91234-5678',
		'55.11.91234.5678',
		' 0055 11 91234 5678 ',
		'+55 11 91234–5678',
		5511912345678,
	])('%j is sent as digits by every send', async (entered) => {
		for (const id of sends) {
			const run = await gateway.run(id, { items: [{ to: entered }] });
			expect(jsonOf(run)).toMatchObject([{ to }]);
		}
		expect(gateway.sandbox.accepted({ to })).toHaveLength(3);
	});

	it.each([
		...['', '1234567', '1234567890123456', '00551234', 'ana', '5511x912345678', null, 1.5e20],
		...['5511912345678.0', 5511912345678.5, '+55 11 3333-4444/45', '+1 202-555-0143 (2)'],
		...['+55 11 9123-4567', '12345678', '2024-12-31', '192.168.100.200'],
	])('%j is no number', async (entered) => {
		const message = await refusal('sendSms', { items: [{ to: entered }] });
		expect(message).toBe(
			entered === '' || entered === null
				? "'To' is empty"
				: `'To' is not a phone number: '${entered}'`,
		);
	});

	it('without a country code is not sent, unless the credential has one', async () => {
		const items = [{ to: '011 91234-5678' }];
		expect(await refusal('sendSms', { items })).toBe("'To' has no country code: '011 91234-5678'");

		const credential = { defaultCountryCode: '+55' };
		for (const id of sends) {
			const run = await gateway.run(id, { items, credential });
			expect(jsonOf(run)).toMatchObject([{ to }]);
		}
		expect(gateway.sandbox.accepted({ to })).toHaveLength(3);
	});

	it('is one number however it is spelled: its messages keep their order', async () => {
		const items = ['011 91234-5678', '+55 11 91234-5678'].map((entered, index) => ({
			to: entered,
			text: `${index}`,
		}));
		gateway.sandbox.fault({ times: 1, fault: { delayMs: 150 } });
		const credential = { defaultCountryCode: '55' };
		const parameters = { text: '={{ $json.text }}' };
		await gateway.run('sendSms', { items, credential, parameters });
		expect(gateway.sandbox.accepted({ to }).map(({ text }) => text)).toEqual(['0', '1']);
	});

	it('is not sent while the country code of the credential is none', async () => {
		const message = await refusal('sendSms', { credential: { defaultCountryCode: 'Brazil' } });
		expect(message).toContain("'Default Country Code' in the Messaging Gateway credential");
	});

	it.each([
		['+44 (0)20 7946 0958', '442079460958'],
		['+1 (202) 555-0143', '12025550143'],
		['+55.11.91234.5678', to],
		['+55 (011) 91234-5678', to],
		['34612345678', '34612345678'],
	])('%s is sent as %s', async (entered, sent) => {
		await gateway.run('sendSms', { items: [{ to: entered }] });
		expect(gateway.sandbox.accepted({ to: sent })).toHaveLength(1);
	});

	it('that can be read as two is not sent, and both are shown', async () => {
		const { error } = await gateway.run('sendSms', {
			items: [{ to: '51 99123-4567' }],
			credential: { defaultCountryCode: 'BR' },
		});
		expect(error).toMatchObject({
			message: "'To' can be read as more than one number: '51 99123-4567'",
			description: expect.stringContaining('+55 51 99123 4567 (Brazil) or +51 991 234 567 (Peru)'),
		});
		expect(gateway.sandbox.requests()).toEqual([]);
	});

	it("of a landline gets no SMS with 'Refuse Landlines'", async () => {
		const items = [{ to: '+55 11 3333-4444' }];
		const message = await refusal('sendSms', { items, options: { refuseLandlines: true } });
		expect(message).toBe("'To' is a landline: '+551133334444'");
		expect(gateway.sandbox.requests()).toEqual([]);

		await gateway.run('sendSms', { items });
		expect(gateway.sandbox.accepted({ to: '551133334444' })).toHaveLength(1);
	});

	it('that is kept as entered is what a key is for: two groups are two', async () => {
		const body = [{ success: true, messageId: 'message-1', status: 'pending' }];
		gateway.sandbox.fault({ fault: { status: 200, body } }); // the document knows no groups
		const run = await gateway.run('sendSms', {
			items: [{ to: 'group-1@g.us' }, { to: 'list-1@g.us' }],
			options: { keepNumberAsEntered: true, deduplicationKey: '={{ "order" + $json.order }}' },
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(run)).toMatchObject([
			{ to: 'group-1@g.us' },
			{ error: { message: expect.stringContaining('stands for a message to another number') } },
		]);
		expect(gateway.onlyRequest().body).toMatchObject({ to: 'group-1@g.us' });
	});

	it.each(['+55 11 91234-5678', '123', 'group-1@g.us'])(
		'%s is kept as entered',
		async (entered) => {
			const options = { keepNumberAsEntered: true };
			const run = await gateway.run('sendSms', { items: [{ to: entered }], options });
			expect(gateway.onlyRequest().body).toMatchObject({ to: entered });
			if (!run.error) expect(jsonOf(run)).toMatchObject([{ to: entered }]);
		},
	);
});

describe("'Additional Body Fields'", () => {
	// The document knows no such field, so the sandbox records it and refuses it.
	it.each(['{ "sender": "A" }', '={{ { sender: "A" } }}', '={{ \'{"sender":"A"}\' }}'])(
		'%s goes into the body, for media into the message',
		async (additionalBodyFields) => {
			for (const id of sends) await gateway.run(id, { options: { additionalBodyFields } });
			const [media, ...others] = gateway.sandbox.requests().map(({ body }) => body);
			expect(media).toMatchObject({ messagetype: 'media', message: { to, sender: 'A' } });
			expect(media).not.toHaveProperty('sender');
			expect(others).toMatchObject([
				{ to, sender: 'A' },
				{ to, sender: 'A' },
			]);
		},
	);

	it.each(['{}', '', '={{ {} }}'])('%j adds nothing', async (additionalBodyFields) => {
		const body = await sentBody('sendSms', { additionalBodyFields });
		expect(body).toEqual({ to, msg: 'Hello', tiposms: '1' });
	});

	it.each([
		'[1]',
		'"text"',
		'42',
		'null',
		'{ "a": ',
		'text',
		'={{ [1] }}',
		'={{ 42 }}',
		'={{ true }}',
	])('%s is no object', async (additionalBodyFields) => {
		const message = await refusal('sendSms', { options: { additionalBodyFields } });
		expect(message).toBe("'Additional Body Fields' is not a JSON object");
	});
});

describe("'Additional Body Fields' whose expression", () => {
	it.each(['={{ undefined }}', '={{ null }}', '={{ $json.fields }}'])(
		'is %s: the item is not sent without them',
		async (additionalBodyFields) => {
			const message = await refusal('sendSms', { options: { additionalBodyFields } });
			expect(message).toBe("'Additional Body Fields' has no value");
		},
	);
});

describe('the MIME type of media', () => {
	const mediaUrl = (url: string, mediaType = 'image') => ({
		parameters: { mediaUrl: url, mediaType },
	});
	it.each([
		['https://a.b/photo.PNG?size=2#top', 'image', 'image/png'],
		[
			'https://a.b/c/file.docx',
			'document',
			'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		],
		['https://a.b/voice.opus', 'audio', 'audio/ogg'],
		['https://a.b/sticker.pdf', 'sticker', 'application/pdf'],
	])('of %s, sent as %s', async (url, mediatype, mimetype) => {
		await gateway.run('sendMedia', mediaUrl(url, mediatype));
		expect(gateway.onlyRequest().body).toMatchObject({ message: { mediatype, mimetype } });
	});

	it('is not one of another kind of media', async () => {
		expect(await refusal('sendMedia', mediaUrl('https://a.b/receipt.pdf'))).toBe(
			"'Media Type' is 'image', but the media is application/pdf",
		);
	});

	it.each([
		['https://a.b/c.jpg https://a.b/d.jpg', 'more than one address'],
		['https://a.b/c.jpg,https://a.b/d.jpg', 'more than one address'],
		['https://a.b/my photo.jpg', 'a space or an invisible character'],
	])('is not looked for in %s', async (url, what) => {
		expect(await refusal('sendMedia', mediaUrl(url))).toBe(`'Media URL' holds ${what}: '${url}'`);
	});

	it('is that of the options first', async () => {
		const mimeType = 'image/x-own';
		expect(await sentBody('sendMedia', { mimeType })).toMatchObject({ mimetype: mimeType });
	});

	it.each([
		'https://a.b/photo',
		'https://a.b/',
		'https://a.b/x.constructor',
		'https://a.b/?f=x.png',
	])('cannot be told from %s', async (url) => {
		const message = await refusal('sendMedia', mediaUrl(url));
		expect(message).toBe("The MIME type cannot be told from 'Media URL'");
	});
});
