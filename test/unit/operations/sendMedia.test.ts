import { sendMedia } from '../../../nodes/MessagingGateway/operations/message/sendMedia';
import { makeItemOf } from '../../../tools/shared/item';

const files = { data: { id: 'filesystem-v2:1', mimeType: 'image/png', data: '' } };
const request = async (noLinks: boolean) => {
	const parameters = { mediaSource: 'binary', mediaUrl: '' };
	const stored = { 'filesystem-v2:1': Buffer.from('x') };
	return await sendMedia.request(
		await makeItemOf(sendMedia, parameters, { files, stored, noLinks }),
	);
};

test('what recognizes a message with a file is the same at each try, and its link is not', async () => {
	const [one, other] = [await request(false), await request(false)];
	expect(one.body).toEqual(other.body);
	expect(one.dueAt!(Date.now())).not.toMatchObject({ body: one.body });
	expect(JSON.stringify(one)).not.toContain('token=');
});

test('an n8n that cannot sign links sends nothing', async () => {
	await expect(request(true)).rejects.toThrow('This n8n cannot make links to files');
});
