import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { sendAudio } from '../../../nodes/MessagingGateway/operations/message/sendAudio';
import { makeItemOf } from '../../../tools/shared/item';

const content = Buffer.from('OggS audio');
const base64 = content.toString('base64');

/** The request that a file goes out in. */
async function requestOf(file: Partial<IBinaryData>, options: IDataObject = {}, stored = content) {
	const parameters = { binaryPropertyName: 'voice', options };
	const files = { voice: { mimeType: 'audio/ogg', data: base64, ...file } };
	const more = { files, stored: { 'file-1': stored } };
	return await sendAudio.request(await makeItemOf(sendAudio, parameters, more));
}

const octets = 'application/octet-stream';

test.each<[string | undefined, string | undefined, IDataObject, string]>([
	['audio/ogg', undefined, {}, 'audio/ogg'],
	[' Application/Ogg ; codecs=opus\n', undefined, {}, 'Application/Ogg ; codecs=opus'],
	['audio/ogg', 'voice.mp3', {}, 'audio/ogg'],
	[octets, 'voice.OGG', {}, 'audio/ogg'],
	[undefined, 'voice.mp3', {}, 'audio/mpeg'],
	['', undefined, { mimeType: 'AUDIO/OGG; codecs=opus' }, 'AUDIO/OGG; codecs=opus'],
	['image/png', 'photo.png', { mimeType: ' audio/mpeg ' }, 'audio/mpeg'],
])('a file of the type %j, named %j, with %j is sent as %s', async (...given) => {
	const [mimeType, fileName, options, mimetype] = given;
	for (const file of [{}, { id: 'file-1', data: 'filesystem-v2' }]) {
		const more = { sender: 'Ação' };
		const request = await requestOf(
			{ mimeType, fileName, ...file },
			{ ...options, extraFields: more },
		);
		expect(request.body).toEqual({
			to: '5511912345678',
			mimetype,
			chatapp_mode: 'private',
			...more,
		});
		const sent = JSON.parse(String(await request.readBody!())) as unknown;
		expect(sent).toEqual({ ...request.body, audio_base64: base64 });
	}
});

test.each([
	['Application/Octet-Stream; charset=binary', 'is not audio but Application/Octet-Stream'],
	[' ', "The file in 'voice' is not audio but of an unknown type"],
	['audio / ogg', "The file in 'voice' is not audio but audio / ogg"],
])('a file of the type %j is an error where its name does not tell', async (mimeType, message) => {
	await expect(requestOf({ mimeType, fileName: 'voice' })).rejects.toThrow(message);
});

test('a file that n8n has lost is an error of that item', async () => {
	const lost = requestOf({ id: 'file-2' });
	await expect(lost).rejects.toThrow('n8n does not have it any more');
});

test.each([
	[1024 * 1024, false],
	[1024 * 1024 + 1, true],
])('a file of %i bytes leaves alone: %s', async (bytes, isLarge) => {
	const stored = Buffer.alloc(bytes);
	expect(await requestOf({ id: 'file-1' }, {}, stored)).toMatchObject({ isLarge });
	expect(await requestOf({ data: stored.toString('base64') })).toMatchObject({ isLarge });
});
