import { Bench } from '../bench';
import { inRounds, medianRatio, spread, type Rounds } from '../rounds';
import { timeSms, warmUp } from '../sms';
import { titles, ways, type Way } from '../ways';
import type { Measurement, Workload } from '../workload';

interface SmsWorkload extends Omit<Workload, 'measure'> {
	count: number;
	delayMs: number;
	rounds: number;
	limits: Partial<Record<Way, number>>;
}

/** Why a way failed. */
type Failures = Partial<Record<Way, string>>;

const text =
	'Two fields with expressions. Time of the node: median (smallest–largest) of the rounds. The ratio is the median of the ratios within each round.';

const workload = ({ count, delayMs, rounds, limits, ...more }: SmsWorkload): Workload => ({
	...more,
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			if (!setup.quick) await warmUp(bench, ways);
			const items = setup.quick ? 100 : count;
			const faults = delayMs > 0 ? [{ fault: { delayMs } }] : [];
			const failures: Failures = {};
			const time = async (way: Way): Promise<number> => {
				if (failures[way]) return NaN;
				const send = async () => await timeSms(bench, way, items, ...faults);
				return await bench.undisturbed(send).catch((error: Error) => {
					if (way === 'package') throw error;
					failures[way] = error.message;
					return NaN;
				});
			};
			const times = await inRounds(ways, setup.quick ? 1 : rounds, time);
			const summary = summarize(more.title, times, failures, limits);
			return { ...summary, disturbance: bench.disturbance };
		}),
});

function summarize(
	title: string,
	times: Rounds<Way>,
	failures: Failures,
	limits: SmsWorkload['limits'],
): Measurement {
	const ratio = (way: Way) => medianRatio(times.package, times[way]);
	return {
		columns: ['way', 's', 'this package ÷ it'],
		rows: ways.map((way) => [
			titles[way],
			failures[way] ?? seconds(times[way]),
			way === 'package' || failures[way] ? '' : ratio(way).toFixed(2),
		]),
		targets: ways
			.filter((way) => limits[way] !== undefined)
			.map((way) => ({
				what: `${title}: this package ÷ ${titles[way]}`,
				unit: '',
				limit: limits[way] ?? NaN,
				measured: ratio(way),
			})),
	};
}

const seconds = (times: number[]): string =>
	spread(
		times.map((ms) => ms / 1000),
		2,
	);

export const sms: Workload[] = [
	workload({
		name: 'sms',
		title: '1,000 SMS at 0 ms',
		text,
		count: 1000,
		delayMs: 0,
		rounds: 9,
		limits: { httpRequest: 0.4, declarative: 0.3, floor: 1.25 },
	}),
	workload({
		name: 'sms-50ms',
		title: '1,000 SMS at 50 ms',
		text: `The service takes 50 ms for each answer; this package and the floor make ten requests at a time. ${text}`,
		count: 1000,
		delayMs: 50,
		rounds: 3,
		limits: { loop: 0.12 },
	}),
];
