import type { INode } from 'n8n-workflow';
import { outputOf } from '../../host';
import { Bench, nodeTime } from '../bench';
import { smsWorkflow } from '../sms';
import { measuredNode, smsNode, type Way } from '../ways';
import type { Measurement, Workload } from '../workload';

const count = 60;

/** Requests per second of a token bucket, and its capacity. */
const rates = [5, 2];

const ways = {
	'this package': { way: 'package' },
	'HTTP Request, Continue On Fail': {
		way: 'httpRequest',
		settings: { onError: 'continueRegularOutput' },
	},
} satisfies Record<string, { way: Way; settings?: Partial<INode> }>;

export const limiter: Workload = {
	name: 'limiter',
	title: `${count} SMS to a service with a limit`,
	text: 'The service has a token bucket: it accepts a number of requests per second, and as many at once after a pause. It answers all others with 429, with or without `Retry-After: 1`. Default options. The bucket itself sets the minimum time. Nothing was sent twice.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const measurement: Measurement = {
				columns: [
					'limit',
					'way',
					's',
					'÷ the bucket’s own time',
					'never sent',
					'requests per item',
				],
				rows: [],
				targets: [],
			};
			for (const perSecond of setup.quick ? [50] : rates) {
				for (const retryAfter of [undefined, 1]) {
					const limit = `${perSecond} a second, ${retryAfter ? '' : 'no '}Retry-After`;
					for (const [name, { way, ...more }] of Object.entries(ways)) {
						const send = {
							...smsNode(way, bench.credential),
							...('settings' in more && more.settings),
						};
						const fault = { tooMany: true, retryAfter } as const;
						const execution = await bench.execute(smsWorkflow(count, send), { perSecond, fault });
						const accepted = await bench.sandbox.client.accepted();
						const requests = (await bench.sandbox.client.requests()).length;
						const sent = new Set(accepted.map(({ to }) => to)).size;
						if (accepted.length > sent || outputOf(execution, measuredNode).length !== count) {
							throw new Error(
								`${name}, ${limit}: ${accepted.length} accepted, ${sent} of them different`,
							);
						}
						const seconds = nodeTime(execution, measuredNode) / 1000;
						const own = (count - perSecond) / perSecond;
						measurement.rows.push([
							limit,
							name,
							seconds.toFixed(1),
							sent === count ? (seconds / own).toFixed(2) : '',
							String(count - sent),
							(requests / count).toFixed(2),
						]);
						if (way === 'package' && perSecond === 5) {
							const target = (what: string, limitOfIt: number, measured: number) =>
								measurement.targets.push({
									what: `${limit}: ${what}`,
									unit: '',
									limit: limitOfIt,
									measured,
								});
							target('never sent', 0, count - sent);
							target('time ÷ the bucket’s own', 1.3, seconds / own);
							target('requests per item', 1.3, requests / count);
						}
					}
				}
			}
			return measurement;
		}),
};
