import { sendAndWait } from '../../../nodes/MessagingGateway/operations/message/sendAndWait';
import { makeItemOf } from '../../../testing/item';
import { neededParameters } from '../../../testing/parameters';

const review = { type: 'messagingGatewayHitlTool' };
const long = 'x'.repeat(1_600);

const ask = async (message: string, node = {}, options = {}) =>
	await sendAndWait.request(
		await makeItemOf(sendAndWait, { ...neededParameters, message, options }, { node }),
	);

test('a human review takes ten segments, unless it is told another number', async () => {
	await expect(ask(long, review)).rejects.toMatchObject({
		message: "'Message' with its link takes 11 segments, but 'Max Segments' allows 10",
		description: expect.stringContaining("raise 'Max Segments' in the options"),
	});
	await expect(ask(long, review, { maxSegments: 11 })).resolves.toBeDefined();
	await expect(ask('May I?', review)).resolves.toBeDefined();
});

test('a question takes as many as it needs', async () => {
	await expect(ask(long)).resolves.toBeDefined();
});
