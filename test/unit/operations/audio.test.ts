import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { isBase64, sendAudio } from '../../../nodes/MessagingGateway/operations/message/sendAudio';
import { withAudio } from '../../../nodes/gateway/endpoints/messages';
import { makeItemOf } from '../../../tools/shared/item';
import { runs } from '../support/runs';

const fields = (mimetype: string) => ({
	to: '5511912345678',
	...{ mimetype, chatapp_mode: 'private' },
});
const content = Buffer.from('OggS audio');
const base64 = content.toString('base64');

/** The request that the audio of an item goes out in. */
const requestOf = async (parameters: IDataObject, more?: Parameters<typeof makeItemOf>[2]) =>
	await sendAudio.request(await makeItemOf(sendAudio, parameters, more));

const fromText = async (audioBase64: unknown, options: IDataObject = {}) =>
	await requestOf({ audioSource: 'base64', audioBase64, options } as IDataObject);

const fromFile = async (file: Partial<IBinaryData>, options: IDataObject = {}, stored = content) =>
	await requestOf(
		{ audioSource: 'binary', binaryPropertyName: 'voice', options },
		{
			files: { voice: { mimeType: 'audio/ogg', data: 'filesystem-v2', ...file } },
			stored: { 'file-1': stored },
		},
	);

describe('Base64 text', () => {
	test.each<[unknown, IDataObject, string]>([
		[` ${base64}\n`, { mimeType: 'audio/mpeg' }, 'audio/mpeg'],
		[`data:audio/ogg;base64,${base64}`, { mimeType: ' audio/mpeg ' }, 'audio/mpeg'],
		[`DATA: Audio/OGG ;codecs=opus; BASE64 ,${base64}`, {}, 'Audio/OGG'],
		[`data:;base64,${base64}`, { mimeType: 'AUDIO/OGG; codecs=opus' }, 'AUDIO/OGG; codecs=opus'],
		[base64, {}, 'audio/ogg'],
		[`data:application/octet-stream;base64,${base64}`, {}, 'audio/ogg'],
	])('%j with %j is sent as %s', async (entered, options, mimetype) => {
		expect(await fromText(entered, options)).toMatchObject({
			isLarge: true,
			body: { ...fields(mimetype), audio_base64: base64 },
		});
	});

	/** Others: refusals.test.ts. */
	test.each<[string, string]>([
		['data:audio/ogg;base64,', "'Audio (Base64)' is empty"],
		...['data:audio/ogg,T2dn', 'data:,T2dn', 'data:audio/ogg;base64', 'data:a/b;base64x,T2dn'].map(
			(entered): [string, string] => [entered, 'is not valid Base64'],
		),
		['data:;base64,bm8h', "The MIME type of 'Audio (Base64)' is unknown"],
		['JVBERg==', "'Audio (Base64)' is not audio but application/pdf"],
	])('%j is an error of that item', async (entered, message) => {
		await expect(fromText(entered)).rejects.toThrow(message);
	});
});

describe('a file', () => {
	test.each([
		['audio/ogg', {}, 'audio/ogg'],
		[' Application/Ogg ; codecs=opus\n', {}, 'Application/Ogg ; codecs=opus'],
		['application/octet-stream', { mimeType: 'audio/mpeg' }, 'audio/mpeg'],
	])('of the type %s with %j is sent as %s', async (mimeType, options, mimetype) => {
		expect(await fromFile({ data: base64, mimeType }, options)).toMatchObject({
			isLarge: true,
			body: { ...fields(mimetype), audio_base64: base64 },
		});
	});

	const mp3 = Buffer.from('ID3 and so on');
	const text = Buffer.from('neither');
	test.each([
		['application/octet-stream', 'by its name', 'voice.OGG', text, 'audio/ogg'],
		['binary/octet-stream', 'by its name first', 'voice.ogg', mp3, 'audio/ogg'],
		['', 'by its first bytes, without a name', undefined, mp3, 'audio/mpeg'],
		[undefined, 'by its first bytes, without an extension', 'voice', mp3, 'audio/mpeg'],
	])('of the type %j goes %s', async (mimeType, _, fileName, bytes, mimetype) => {
		const inMemory = await fromFile({ mimeType, fileName, data: bytes.toString('base64') });
		expect(inMemory.body).toMatchObject({ mimetype });
		const { stream } = await fromFile({ mimeType, fileName, id: 'file-1' }, {}, bytes);
		const flown: unknown = JSON.parse(await readText((await stream!.open()) as never));
		expect(flown).toEqual({ ...fields(mimetype), audio_base64: bytes.toString('base64') });
	});

	test.each([
		['Application/Octet-Stream; charset=binary', 'is not audio but Application/Octet-Stream'],
		[' ', "The MIME type of the file in 'voice' is unknown"],
		['audio / ogg', "The file in 'voice' is not audio but audio / ogg"],
	])('of the type %j is an error where nothing tells', async (mimeType, message) => {
		const data = text.toString('base64');
		await expect(fromFile({ mimeType, data })).rejects.toThrow(message);
	});

	test('that cannot be read is an error of that item', async () => {
		await expect(fromFile({ id: 'file-2' })).rejects.toThrow(
			'could not be read from the binary data store',
		);
	});

	test('in the store flows, is announced with its length, and opens anew for each attempt', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({ minLength: 1 }),
				fc.string({ unit: 'binary' }),
				async (bytes, name) => {
					const fields = { name, audio_base64: 'overridden' };
					const open = async () => Readable.from([Buffer.from(bytes)], { objectMode: false });
					const { stream } = withAudio(fields, { size: bytes.length, open: open as never });
					for (const attempt of ['first', 'second']) {
						const sent = await readText((await stream!.open()) as never);
						expect([attempt, Buffer.byteLength(sent)]).toEqual([attempt, stream!.length]);
						expect(JSON.parse(sent)).toEqual({
							name: Buffer.from(name).toString(), // as it travels: lone surrogates cannot
							audio_base64: Buffer.from(bytes).toString('base64'),
						});
					}
				},
			),
		);
	});
});

/** RFC 4648 §4, padded and not empty. */
const rfc4648 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

test.each([
	...['', 'T2dnU', 'T2c', '=T2c', 'T=2c', 'T===', '====', 'T2dn\n', 'T2d\n', 'T2d_', 'T2 n'],
	'Tw==T2dn',
])('%j is none', (text) => expect(isBase64(text)).toBe(false));

test('any text is Base64 exactly if it fits the definition', () => {
	const close = fc.string({ unit: fc.constantFrom('A', 'z', '9', '+', '/', '=', ' ', '-', 'é') });
	const spoilt = fc
		.tuple(fc.base64String({ minLength: 4 }), fc.nat(), fc.constantFrom('=', '\n', '*', ''))
		.map(
			([text, at, other]) =>
				text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1),
		);
	fc.assert(
		fc.property(
			fc.oneof(close, spoilt, fc.base64String(), fc.string({ unit: 'binary' })),
			(text) => {
				expect(isBase64(text)).toBe(rfc4648.test(text));
			},
		),
		runs,
	);
});
