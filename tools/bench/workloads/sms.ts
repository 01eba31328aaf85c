import { Bench } from '../bench';
import { inRounds, medianRatio, spreadInSeconds } from '../rounds';
import { timeSms, warmUp } from '../sms';
import { titles, ways, type Way } from '../ways';
import type { Workload } from '../workload';

const limitByWay: Partial<Record<Way, number>> = {
	httpRequest: 0.35,
	declarative: 0.3,
	floor: 1.25,
};

const smsTitle = '1,000 SMS at 0 ms';

export const smsWorkload: Workload = {
	name: 'sms',
	title: smsTitle,
	text: 'Two fields with expressions. Time of the node: median (smallest–largest) of the rounds. The ratio is the median of the ratios within each round.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			if (!setup.quick) await warmUp(bench, ways);
			const times = await inRounds(ways, setup.quick ? 1 : 9, async (way) =>
				timeSms(bench, way, setup.quick ? 100 : 1000),
			);
			const ratio = (way: Way) => medianRatio(times.package, times[way]);
			return {
				columns: ['way', 's', 'this package ÷ it'],
				rows: ways.map((way) => [
					titles[way],
					spreadInSeconds(times[way]),
					way === 'package' ? '' : ratio(way).toFixed(2),
				]),
				targets: ways.flatMap((way) => {
					const what = `${smsTitle}: this package ÷ ${titles[way]}`;
					const limit = limitByWay[way];
					return limit === undefined ? [] : [{ what, limit, measured: ratio(way) }];
				}),
			};
		}),
};
