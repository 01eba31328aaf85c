import type { IBinaryData } from 'n8n-workflow';
import { outputOf } from '../../host';
import { chain, gateway, httpRequest, node } from '../../shared/workflows';
import { Bench, nodeTime, type BenchCredential, type Setup } from '../bench';
import { inRounds, median, spread } from '../rounds';
import { measuredNode } from '../ways';
import type { Workload } from '../workload';

const MB = 1024 * 1024;

export const audio: Workload = {
	name: 'audio',
	title: '60 audio files of 8 MB',
	text: "From n8n's binary data on disk (`N8N_DEFAULT_BINARY_DATA_MODE=filesystem`). Peak resident memory of the n8n process above its idle memory, in a new n8n for each figure, warmed up with 10 files of 100 kB. HTTP Request needs the file as a field, so its figures include Extract from File.",
	measure: async (setup) => {
		const seconds = Object.fromEntries(audioCases.map((name): [Name, number[]] => [name, []]));
		const peaks = await inRounds(audioCases, setup.quick ? 1 : 3, async (name) => {
			const { peak, ms } = await sendAudioList(setup, name);
			seconds[name]!.push(ms / 1000);
			return peak;
		});
		const [ours, shared, theirs] = audioCases.map((name) => median(peaks[name]));
		const what = '60 × 8 MB audio: peak memory over idle';
		return {
			columns: ['way', 'MB over idle', 's'],
			rows: audioCases.map((name) => [name, spread(peaks[name], 0), spread(seconds[name]!, 1)]),
			targets: [
				{ what, unit: 'MB', limit: 100, measured: ours! },
				{ what: `${what}, shared instance`, unit: 'MB', limit: 100, measured: shared! },
				{
					what: `${what} ÷ HTTP Request's`,
					unit: '%',
					limit: 5,
					measured: (ours! / theirs!) * 100,
				},
			],
		};
	},
};

/** @returns peak in MB, time in ms */
const sendAudioList = async (setup: Setup, name: Name) =>
	await Bench.with(setup, async (bench) => {
		const [count, size] = setup.quick ? [10, MB] : [60, 8 * MB];
		await sendFiles(bench, name, await makeFiles(bench, 10, 100_000));
		const files = await makeFiles(bench, count, size);
		let ms = NaN;
		const peak = await bench.peakOverIdle(async () => {
			ms = await sendFiles(bench, name, files);
		});
		return { peak: peak / MB, ms };
	});

/** Puts files into n8n's store, in a separate execution. */
async function makeFiles(bench: Bench, count: number, fileSize: number): Promise<IBinaryData[]> {
	const items = node('Items', 'CUSTOM.benchItems', { count, fileSize });
	const execution = await bench.execute(chain('Files', items));
	return outputOf(execution, 'Items').flatMap(({ binary }) => binary?.data ?? []);
}

/** @returns time in ms */
async function sendFiles(bench: Bench, name: Name, files: IBinaryData[]): Promise<number> {
	const count = files.length;
	const items = node('Items', 'CUSTOM.benchItems', { count, files: JSON.stringify(files) });
	const senders = audioNodes(name, bench.credential);
	const execution = await bench.execute(chain('Benchmark', items, ...senders));
	const ms = nodeTime(execution, ...senders.map((sender) => sender.name));
	const accepted = await bench.sandbox.countAccepted();
	if (accepted === count) return ms;
	throw new Error(`${name}: ${accepted} of ${count} accepted`);
}

/** The ways to send an audio file. */
const audioCases = [
	'this package, without a pause',
	'this package, shared instance',
	'Extract from File + HTTP Request',
] as const;
type Name = (typeof audioCases)[number];

/** Nodes that send the file of each item of the node 'Items'. */
function audioNodes(name: Name, credential: BenchCredential) {
	if (name !== 'Extract from File + HTTP Request') {
		const chatAppMode = name === 'this package, shared instance' ? 'shared' : 'private';
		const parameters = { to: '={{ $json.phone }}', options: { chatAppMode } };
		const account = { id: credential.id, name: credential.name };
		return [{ ...gateway(account, 'message', 'sendAudio', parameters), name: measuredNode }];
	}
	const fields = {
		to: "={{ $('Items').item.json.phone }}",
		mimetype: 'audio/ogg',
		chatapp_mode: 'private',
		audio_base64: '={{ $json.data }}',
	};
	const extract = { operation: 'binaryToPropery' };
	const url = `${credential.baseUrl}/v2/chatapp/message/sendAudio`;
	return [
		node('Extract', 'n8n-nodes-base.extractFromFile', extract, { typeVersion: 1.1 }),
		httpRequest(measuredNode, credential, url, fields),
	];
}
