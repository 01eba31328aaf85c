import { processes, QueueBench, type CpuTimes, type Published } from '../../queueBench';
import { inRounds, median, medianRatio, spread } from '../../rounds';
import { smsWorkflow } from '../../sms';
import type { Workload } from '../../workload';
import { wayNames, ways, type Way } from './ways';

const workerCounts = [1, 2, 4];

/** How many executions with how many messages each. */
const shapes = [
	{ runs: 200, each: 1 },
	{ runs: 10, each: 100 },
];

export const queueThroughput: Workload = {
	name: 'queue-throughput',
	title: 'Executions and messages per second',
	text: `${shapes.map(({ runs, each }) => `${runs} executions of ${each} SMS`).join(', and ')}, posted as quickly as n8n takes them. Rates: median (smallest–largest) of the rounds. CPU time in ms per message: median of the rounds.`,
	picture: { columns: ['SMS per second'], labels: 3 },
	async measure(setup) {
		const rows: string[][] = [];
		const ratios: Record<string, number> = {};
		for (const workers of setup.quick ? [1] : workerCounts) {
			await QueueBench.with(setup, workers, async (bench) => {
				for (const { runs, each } of shapes) {
					const shape = { runs: setup.quick ? 5 : runs, each };
					const { rates, cpu } = await measureWays(bench, shape, setup.quick ? 1 : 3);
					for (const way of wayNames) {
						const perMessage = processes.map((name) => median(cpu[way].map((ms) => ms[name])));
						const row = [String(workers), String(each), way, spread(rates[way], 1)];
						if (each > 1)
							row.push(
								spread(
									rates[way].map((rate) => rate * each),
									0,
								),
							);
						else row.push('');
						rows.push([...row, ...perMessage.map((ms) => ms.toFixed(1))]);
					}
					const ofWorkers = (way: Way) => cpu[way].map((ms) => ms.workers);
					if (workers === 1) {
						ratios[`${each} SMS per execution`] = medianRatio(
							ofWorkers('this package'),
							ofWorkers('HTTP Request node'),
						);
					}
				}
			});
		}
		return {
			columns: [
				'workers',
				'SMS per execution',
				'way',
				'executions per second',
				'SMS per second',
				...processes.map((name) => `CPU: ${name}`),
			],
			rows,
			targets: Object.entries(ratios).map(([what, measured]) => ({
				what: `${what}: CPU time of the worker ÷ HTTP Request's`,
				unit: '',
				limit: 1,
				measured,
			})),
		};
	},
};

/** Executions per second, and CPU time per message, of each way and round. */
async function measureWays(
	bench: QueueBench,
	{ runs, each }: (typeof shapes)[number],
	rounds: number,
) {
	const published = {} as Record<Way, Published>;
	for (const way of wayNames) {
		published[way] = await bench.publish(smsWorkflow(each, ways[way](bench)));
		await bench.runOften(published[way], 10, 10 * each); // compiles
	}
	const cpu = Object.fromEntries(wayNames.map((way) => [way, []])) as unknown as Record<
		Way,
		CpuTimes[]
	>;
	const rates = await inRounds(wayNames, rounds, async (way) => {
		const run = await bench.runOften(published[way], runs, runs * each);
		const perMessage = processes.map((name) => [name, run.cpu[name] / (runs * each)]);
		cpu[way].push(Object.fromEntries(perMessage) as CpuTimes);
		return (runs / run.ms) * 1000;
	});
	return { rates, cpu };
}
