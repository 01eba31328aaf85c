import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { ownFile } from '../../../nodes/form/fields/file';
import { sendAudio } from '../../../nodes/MessagingGateway/operations/message/sendAudio';
import { sendMedia } from '../../../nodes/MessagingGateway/operations/message/sendMedia';
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
	['audio/ogg', undefined, { mimeType: 'video/ogg' }, 'video/ogg'],
	['audio/ogg', undefined, { mimeType: ' x-audio/ogg ' }, 'x-audio/ogg'],
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

const files = { data: { id: 'filesystem-v2:1', mimeType: 'image/png', data: '' } };
const request = async (more = {}) => {
	const parameters = { mediaSource: 'binary', mediaUrl: '', ...more };
	const stored = { 'filesystem-v2:1': Buffer.from('x') };
	return await sendMedia.request(await makeItemOf(sendMedia, parameters, { files, stored }));
};

test('what recognizes a message with a file is the same at each try, and its link is not', async () => {
	const [one, other] = [await request(), await request()];
	expect(one.message!.contents).toEqual(other.message!.contents);
	expect(JSON.stringify(one.message)).not.toContain('token=');
	const [now, later] = [0, 1000].map((ms) => one.message!.requestAt!(Date.now() + ms));
	expect(now).not.toEqual(later);
});

test("a file of the execution is linked to as it is, another's is copied once for a run", async () => {
	const mimeType = 'image/png';
	const own = { id: 'filesystem-v2:workflows/w/executions/1/binary_data/a', mimeType, data: '' };
	const form = { ...own, id: 'filesystem-v2:workflows/w/executions/temp/binary_data/b' };
	const stored = { [form.id]: Buffer.from('x') };
	const item = await makeItemOf(sendMedia, {}, { stored });
	expect(await ownFile(item, own)).toBe(own);
	const copy = await ownFile(item, form);
	expect(copy.id).toContain('/executions/1/');
	expect(await ownFile(item, form)).toBe(copy);
});
