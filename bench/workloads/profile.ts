import type { Profiler } from 'node:inspector';
import { Bench } from '../bench';
import { profile } from '../inspector';
import { timeSms, warmUp } from '../sms';
import { titles, type Way } from '../ways';
import type { Workload } from '../workload';

const ways = ['package', 'floor', 'httpRequest'] as const;
const runs = 3;

/** Where code belongs, by its file. A sample counts for the innermost function that has a match. */
const parts: Array<[part: string, files: RegExp]> = [
	["the node's own code", /n8n-nodes-messaging-gateway|HttpRequest|Bench\w+\.node/],
	['parameters and expressions', /n8n-workflow|expression-runtime|luxon|node-execution-context/],
	['requests', /axios|backend-network|request-helpers|node:_http|node:net|node:url|stream_base/],
	['credentials', /credentials|cipher|encryption/],
	['database, execution data, REST', /typeorm|sqlite|flatted|@n8n\/db|express|router|^n8n\/dist/],
];
const partNames = [...parts.map(([part]) => part), 'garbage collection', 'other'];

export const profiles: Workload = {
	name: 'profile',
	title: 'Where the CPU time goes',
	text: 'µs of the n8n process per SMS, from a CPU profile of three runs of 1,000 SMS. A profiled n8n is somewhat slower, and shares its cores with the sandbox.',
	picture: { columns: ways.map((way) => titles[way]), stacked: 'rows', unit: 'µs per SMS' },
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 100 : 1000;
			if (!setup.quick) await warmUp(bench, ways);
			const times = {} as Record<Way, Map<string, number>>;
			for (const way of ways) {
				const taken = await profile(bench.host, async () => {
					for (let run = 0; run < runs; run++) await timeSms(bench, way, count);
				});
				times[way] = timePerPart(taken);
			}
			return {
				columns: ['', ...ways.map((way) => titles[way])],
				rows: partNames.map((part) => [
					part,
					...ways.map((way) => ((times[way].get(part) ?? 0) / runs / count).toFixed(0)),
				]),
				targets: [],
			};
		}),
};

/** In µs, idle time left out. */
function timePerPart({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
	const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
	const parents = new Map(
		nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
	);
	const partOf = (sample: number): string => {
		const name = frames.get(sample)?.functionName;
		if (name === '(garbage collector)') return 'garbage collection';
		if (name === '(idle)') return 'idle';
		for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
			const file = frames.get(id)?.url.replace(/.*node_modules\//, '') ?? '';
			const found = parts.find(([, files]) => files.test(file));
			if (found) return found[0];
		}
		return 'other';
	};
	const times = new Map<string, number>();
	samples.forEach((sample, index) => {
		const part = partOf(sample);
		times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0));
	});
	return times;
}
