import { ownFile } from '../../../nodes/form/fields/file';
import { sendMedia } from '../../../nodes/MessagingGateway/operations/message/sendMedia';
import { makeItemOf } from '../../../tools/shared/item';

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
