import { sendMedia } from '../../../nodes/MessagingGateway/operations/message/sendMedia';
import { makeItemOf } from '../../../tools/shared/item';

const files = { data: { id: 'filesystem-v2:1', mimeType: 'image/png', data: '' } };
const request = async (noLinks: boolean, more = {}) => {
	const parameters = { mediaSource: 'binary', mediaUrl: '', ...more };
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

test("a file of the execution is linked to as it is, another's is copied once for a run", async () => {
	const mimeType = 'image/png';
	const own = { id: 'filesystem-v2:workflows/w/executions/1/binary_data/a', mimeType, data: '' };
	const form = {
		id: 'filesystem-v2:workflows/w/executions/temp/binary_data/b',
		mimeType,
		data: '',
	};
	const stored = { [form.id]: Buffer.from('x') };
	const item = await makeItemOf(sendMedia, {}, { stored });
	expect(await item.ownFile(own)).toBe(own);
	const copy = await item.ownFile(form);
	expect(copy.id).toContain('/executions/1/');
	expect(await item.ownFile(form)).toBe(copy);
});

test.each([
	[364 * 24, /^Raise 'Link Valid For \(Hours\)' in the options to 87\d\d or more/],
	[366 * 24, /^Schedule the message within a year/], // no link may be valid for that long
])(
	'a file that is sent in %i hours: what is said to do can be done',
	async (hours, description) => {
		const scheduleAt = new Date(Date.now() + hours * 3_600_000).toISOString();
		await expect(request(false, { scheduleAt })).rejects.toMatchObject({
			description: expect.stringMatching(description),
		});
	},
);
