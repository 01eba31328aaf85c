import { Bench } from '../bench';
import { inRounds, median, medianRatio, spread } from '../rounds';
import { timeSms, warmUp } from '../sms';
import { titles } from '../ways';
import type { Workload } from '../workload';

const few = 1000;
const many = 20_000;
const counts = [`${few}`, `${many}`] as const;
const ways = ['package', 'floor'] as const;

/** Time per item does not grow with the number of items. */
export const growth: Workload = {
	name: 'growth',
	title: 'Time per SMS, 1,000 and 20,000 items',
	text: 'In one n8n, in turns. Each figure for 1,000 items is the median of three runs.',
	picture: { columns: ['ms per item at 1,000', 'at 20,000'], sameScale: true },
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			if (!setup.quick) await warmUp(bench, ways);
			const scale = setup.quick ? 20 : 1;
			const rounds = setup.quick ? 1 : 2;
			const figures = [];
			for (const way of ways) {
				console.log(` ${titles[way]}`);
				const times = await inRounds(counts, rounds, async (count) => {
					const items = Number(count) / scale;
					const runs = [];
					for (let run = 0; run < (Number(count) === few ? 3 : 1); run++) {
						const time = async () => await timeSms(bench, way, items);
						runs.push((await bench.undisturbed(time)) / items);
					}
					return median(runs);
				});
				figures.push({ way, times, ratio: medianRatio(times[many], times[few]) });
			}
			return {
				columns: ['way', 'ms per item at 1,000', 'at 20,000', 'growth'],
				rows: figures.map(({ way, times, ratio }) => [
					titles[way],
					spread(times[few], 2),
					spread(times[many], 2),
					ratio.toFixed(2),
				]),
				targets: figures
					.filter(({ way }) => way === 'package')
					.map(({ ratio }) => ({
						what: 'Time per item at 20,000 ÷ at 1,000',
						unit: '',
						limit: 1.2,
						measured: ratio,
					})),
				disturbance: bench.disturbance,
			};
		}),
};
