import type { Fault } from '../../sandbox/types';
import { Bench } from '../bench';
import { timeSms } from '../sms';
import type { Workload } from '../workload';

/** What a service answers that takes 5 a second. */
const faults: Record<string, Fault> = {
	'5 a second': { tooMany: true },
	'5 a second, Retry-After': { tooMany: true, retryAfter: 1 },
};

const messages = 60;
const perSecond = 5;
/** The time that the limit alone requires, in s: after a pause, the service takes a second's messages at once. */
const least = (messages - perSecond) / perSecond;

const column = "÷ the limit's own time";

export const limiter: Workload = {
	name: 'limiter',
	title: 'SMS to a service with a limit',
	text: '60 SMS to a service that accepts 5 requests a second, and as many at once after a pause (a token bucket). It answers all other requests with 429, with or without `Retry-After: 1`. Each run has a new account, and each message was accepted once. `test/unit/send/pace.test.ts` measures services with other limits, and how many requests that takes, without n8n, in virtual time.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const measured: Array<[limit: string, seconds: number]> = [];
			for (const [limit, fault] of Object.entries(faults)) {
				const ms = await timeSms(bench, 'package', messages, [{ perSecond, fault }]);
				measured.push([limit, ms / 1000]);
			}
			return {
				columns: ['limit', 's', column],
				rows: measured.map(([limit, s]) => [limit, s.toFixed(1), (s / least).toFixed(2)]),
				targets: measured.map(([limit, s]) => ({
					what: `${limit}: ${column}`,
					limit: 1.3,
					measured: s / least,
				})),
			};
		}),
};
