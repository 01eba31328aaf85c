/** Where the audio of a message comes from. */
import { storeBinary } from '../harness';
import { audioBase64, to, useGateway } from './support';

const gateway = useGateway();

it.each(['memory', 'filesystem'] as const)(
	'a file in %s is taken from the field that is named',
	async (storage) => {
		const content = Buffer.from(audioBase64, 'base64');
		const store = async (mimeType: string) => await storeBinary(content, { mimeType, storage });
		const mimeType = 'audio/ogg; codecs=opus';
		const binary = { data: await store('image/png'), voice: await store(mimeType) };
		await gateway.run('sendAudio', {
			parameters: { audioSource: 'binary', audioBase64: '', binaryPropertyName: 'voice' },
			items: [{ json: { to }, binary }],
		});
		expect(gateway.onlyRequest()).toMatchObject({
			valid: true,
			body: { mimetype: mimeType, audio_base64: audioBase64 },
		});
	},
);
