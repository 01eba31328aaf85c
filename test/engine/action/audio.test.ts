/** Where the audio of a message comes from. */
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { storeBinary } from '../harness';
import { audioBase64, digits, to, useGateway } from './support';

const gateway = useGateway();

const file = { audioSource: 'binary', audioBase64: '' };

const run = async (
	parameters: INodeParameters,
	options = {},
	binary?: Record<string, IBinaryData>,
) => await gateway.run('sendAudio', { parameters, options, items: [{ json: { to }, binary }] });

/** What the service got as MIME type and audio. */
function sent() {
	const { body, valid } = gateway.onlyRequest();
	expect(valid).toBe(true);
	const { mimetype, audio_base64 } = body as Record<string, unknown>;
	return [mimetype, audio_base64];
}

describe.each(['memory', 'filesystem'] as const)('a file in %s', (storage) => {
	const content = Buffer.from(audioBase64, 'base64');
	const store = async (mimeType: string) => await storeBinary(content, { mimeType, storage });

	it('is taken from the field that is named', async () => {
		const binary = { data: await store('image/png'), voice: await store('audio/ogg; codecs=opus') };
		await run({ ...file, binaryPropertyName: 'voice' }, {}, binary);
		expect(sent()).toEqual(['audio/ogg; codecs=opus', audioBase64]);
	});

	it('whose type nobody knows goes by its first bytes', async () => {
		await run(file, {}, { data: await store('application/octet-stream') });
		expect(sent()).toEqual(['audio/ogg', audioBase64]);
	});

	it('goes with all other fields', async () => {
		const options = {
			mimeType: 'audio/opus',
			chatAppMode: 'shared',
		};
		const scheduled = { ...file, scheduleAt: '2030-01-01T00:00Z' };
		await run(scheduled, options, { data: await store('audio/ogg') });
		expect(gateway.onlyRequest()).toMatchObject({
			valid: true,
			body: {
				to: digits,
				mimetype: 'audio/opus',
				chatapp_mode: 'shared',
				scheduled_at: '2029-12-31T19:00:00-05:00',
				audio_base64: audioBase64,
			},
		});
	});
});
