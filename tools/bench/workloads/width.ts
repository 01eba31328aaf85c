import { Bench } from '../bench';
import { startDistant } from '../distant';
import { inRounds, medianRatio, spreadInSeconds } from '../rounds';
import { timeSms, warmUp } from '../sms';
import type { Target, Workload } from '../workload';

interface WidthCase {
	name: string;
	delayMs?: number;
	/** Over https, in ms. */
	roundTripMs?: number;
	/** Target: this package ÷ HTTP Request. */
	limit?: number;
}

const widthCases: WidthCase[] = [
	{ name: '0 ms' },
	{ name: '50 ms', delayMs: 50, limit: 0.7 },
	{ name: '200 ms', delayMs: 200, limit: 1.2 },
	{ name: '500 ms', delayMs: 500, limit: 2.2 },
	{ name: '0 ms, over https, 50 ms a round trip', roundTripMs: 50, limit: 0.8 },
];

const widthWays = ['package', 'httpRequest'] as const;

export const width: Workload = {
	name: 'width',
	title: '1,000 SMS to a slow service',
	text: 'The service takes this time for each answer. HTTP Request starts all requests at once. This package starts ten, and more as long as that makes it faster. n8n remembers how many an account took; here, each run has a new account. n8n opens a new connection for each request: over https, that takes three round trips before the answer.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 100 : 1000;
			if (!setup.quick) await warmUp(bench, widthWays);
			const rows: string[][] = [];
			const targets: Target[] = [];
			for (const { name, delayMs = 0, roundTripMs, limit } of widthCases) {
				console.log(` ${name}`);
				const distant =
					roundTripMs === undefined
						? undefined
						: await startDistant(bench.credential.baseUrl, roundTripMs);
				const faults = delayMs > 0 ? [{ fault: { delayMs } }] : [];
				const times = await inRounds(widthWays, setup.quick ? 1 : 3, async (way) =>
					timeSms(bench, way, count, faults, distant?.url),
				);
				distant?.close();
				const measured = medianRatio(times.package, times.httpRequest);
				rows.push([
					name,
					...widthWays.map((way) => spreadInSeconds(times[way])),
					measured.toFixed(2),
				]);
				if (limit === undefined) continue;
				targets.push({ what: `1,000 SMS, ${name}: ÷ HTTP Request`, limit, measured });
			}
			const columns = ['service', 'this package, s', 'HTTP Request node, s', '÷'];
			return { columns, rows, targets };
		}),
};
