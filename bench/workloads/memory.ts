import { Bench, type Setup } from '../bench';
import { inRounds, median, spread } from '../rounds';
import { timeSms } from '../sms';
import { titles, type Way } from '../ways';
import type { Workload } from '../workload';

const MB = 1024 * 1024;
const few = 1000;
const many = 20_000;
const ways = ['package', 'httpRequest', 'floor'] as const;

export const memory: Workload = {
	name: 'memory',
	title: 'Memory per SMS, 1,000 and 20,000 items',
	text: 'Highest resident memory of the whole n8n process above the idle one; a fresh n8n for each figure, warmed up with 200 SMS. It includes what n8n itself keeps of each item and stores as execution data.',
	picture: { columns: ['MB at 1,000', 'MB at 20,000'], sameScale: true },
	measure: async (setup) => {
		const contenders = ways.flatMap((way) => [`${way} ${few}`, `${way} ${many}`] as const);
		const peaks = await inRounds(contenders, setup.quick ? 1 : 2, async (name) => {
			const [way, count] = name.split(' ') as [Way, string];
			return await peakOf(setup, way, setup.quick ? Number(count) / 20 : Number(count));
		});
		return {
			columns: ['way', 'MB at 1,000', 'MB at 20,000', 'kB per further item'],
			rows: ways.map((way) => {
				const [small, large] = [peaks[`${way} ${few}`], peaks[`${way} ${many}`]];
				const perItem = ((median(large) - median(small)) * 1024) / (many - few);
				return [titles[way], spread(small, 0), spread(large, 0), perItem.toFixed(1)];
			}),
			targets: [],
		};
	},
};

/** In MB. */
const peakOf = async (setup: Setup, way: Way, count: number): Promise<number> =>
	await Bench.with(setup, async (bench) => {
		await timeSms(bench, way, 200);
		return (await bench.peakOverIdle(async () => await timeSms(bench, way, count))) / MB;
	});
