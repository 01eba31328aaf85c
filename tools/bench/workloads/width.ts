import { Bench } from '../bench';
import { inRounds, medianRatio, spreadInSeconds } from '../rounds';
import { timeSms, warmUp } from '../sms';
import type { Target, Workload } from '../workload';

/** Times that the service takes for an answer, in ms, with the target: this package ÷ HTTP Request. */
const limitByDelayMs = new Map([
	[0, undefined],
	[50, 0.7],
	[200, 1.2],
	[500, 2.2],
]);

const widthWays = ['package', 'httpRequest'] as const;

export const width: Workload = {
	name: 'width',
	title: '1,000 SMS to a slow service',
	text: 'The service takes this time for each answer. HTTP Request starts all requests at once. This package starts ten, and more as long as that makes it faster. n8n remembers how many an account took; here, each run has a new account.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 100 : 1000;
			if (!setup.quick) await warmUp(bench, widthWays);
			const rows: string[][] = [];
			const targets: Target[] = [];
			for (const [delayMs, limit] of limitByDelayMs) {
				console.log(` ${delayMs} ms`);
				const faults = delayMs > 0 ? [{ fault: { delayMs } }] : [];
				const times = await inRounds(widthWays, setup.quick ? 1 : 3, async (way) =>
					timeSms(bench, way, count, faults),
				);
				const measured = medianRatio(times.package, times.httpRequest);
				const seconds = widthWays.map((way) => spreadInSeconds(times[way]));
				rows.push([`${delayMs} ms`, ...seconds, measured.toFixed(2)]);
				if (limit === undefined) continue;
				targets.push({ what: `1,000 SMS, ${delayMs} ms: ÷ HTTP Request`, limit, measured });
			}
			const columns = ['service', 'this package, s', 'HTTP Request node, s', '÷'];
			return { columns, rows, targets };
		}),
};
