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

	it.each([...['', '1234567', null, 1.5e20, '5511912345678.0']])(
		'%j is no number',
		async (entered) => {
			const message = await refusal('sendSms', { items: [{ to: entered }] });
			expect(message).toBe(
				entered === '' || entered === null
					? "The expression in 'To' returned nothing for this item"
					: `'To' is not a phone number: '${entered}'`,
			);
		},
	);

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
			{ error: { message: expect.stringContaining('was used for a message to another number') } },
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
});

describe('the MIME type of media', () => {
	it.each([
		['photo.jpg', 'image'],
		['clip.mp4', 'video'],
		['voice.ogg', 'audio'],
		['invoice.pdf', 'document'],
	])('%s is sent as %s, without a word about it', async (file, mediatype) => {
		const url = `https://example.com/${file}`;
		await gateway.run('sendMedia', { parameters: { mediaUrl: url } });
		expect(gateway.onlyRequest().body).toMatchObject({ message: { mediatype, mediaurl: url } });
	});

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
	])('of %s, sent as %s', async (url, mediatype, mimetype) => {
		await gateway.run('sendMedia', mediaUrl(url, mediatype));
		expect(gateway.onlyRequest().body).toMatchObject({ message: { mediatype, mimetype } });
	});

	it('is that of the options first', async () => {
		const mimeType = 'image/x-own';
		expect(await sentBody('sendMedia', { mimeType })).toMatchObject({ mimetype: mimeType });
	});
});
