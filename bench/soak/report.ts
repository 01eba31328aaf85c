import { plot } from '../plot';
import { environment, table, today } from '../report';
import { faultShare } from './load';
import type { Sample } from './samples';
import type { Nodes } from './side';
import { slopeOf, type Slope } from './slope';

/** What the service saw of one side. */
export interface Outcome {
	nodes: Nodes;
	/** To send. */
	requests: number;
	accepted: number;
}

const measures = {
	live: 'Live objects, MB',
	resident: 'Resident memory, MB',
	handles: 'Open handles',
} as const;
type Measure = keyof typeof measures;
const names = Object.keys(measures) as Measure[];

/** @returns Markdown that shows the picture */
export const drawSamples = async (samples: Sample[]): Promise<string> =>
	await plot('soak', 'Memory and open handles of both n8n over time: figures below.', {
		data: { values: samples },
		vconcat: names.map((measure) => ({
			width: 640,
			height: 140,
			mark: { type: 'line' },
			encoding: {
				x: { field: 'minutes', type: 'quantitative', title: 'minutes' },
				y: { field: measure, type: 'quantitative', title: measures[measure] },
				color: { field: 'nodes', type: 'nominal', title: null },
			},
		})),
	});

/** @param picture in Markdown */
export function report(
	samples: Sample[],
	outcomes: Outcome[],
	minutes: number,
	picture: string,
): string {
	const slopeFor = (nodes: Nodes, measure: Measure): Slope =>
		slopeOf(
			samples
				.filter((each) => each.nodes === nodes && each.minutes > minutes / 3)
				.map((each) => [each.minutes, each[measure]]),
		);
	const last = (nodes: Nodes) => samples.findLast((each) => each.nodes === nodes);
	const rows = outcomes.map(({ nodes, requests, accepted }) => [
		nodes,
		requests.toLocaleString('en'),
		accepted.toLocaleString('en'),
		...names.flatMap((measure) => [
			last(nodes)?.[measure].toFixed(0) ?? '',
			perHour(slopeFor(nodes, measure)),
		]),
	]);
	const differences = names.flatMap((measure) => {
		const [ours, theirs] = [slopeFor('this package', measure), slopeFor('built-in nodes', measure)];
		const error = Math.hypot(ours.error, theirs.error);
		return ['', perHour({ perX: ours.perX - theirs.perX, error })];
	});
	const columns = [
		'',
		'requests',
		'accepted',
		...names.flatMap((name) => [measures[name], 'per hour']),
	];
	return [
		'# Soak',
		introduction(minutes),
		picture,
		table(columns, [...rows, ['difference', '', '', ...differences]]),
		table(['', ''], Object.entries({ ...environment(), Date: today() })),
	]
		.join('\n\n')
		.concat('\n');
}

/** Of what was measured by the minute. */
const perHour = ({ perX, error }: Slope): string =>
	`${(perX * 60).toFixed(1)} ± ${(error * 60).toFixed(1)}`;

const introduction = (minutes: number) =>
	`
Written by \`npm run soak -- --minutes ${minutes}\`, after \`npm run build\`. Two n8n at the same time under the same load, one
with this package, the other with n8n's Webhook, HTTP Request and Extract from File nodes: two deliveries
a second that each send an SMS, a list of 20 SMS every five seconds, an audio file of 500 kB every
fifteen. ${faultShare * 100} % of the requests meet a fault: 500, 429 with Retry-After, a connection reset after the
message was accepted, an answer after three seconds. Live objects are counted after a garbage collection.
The slopes are straight lines through the last two thirds of the time, by least squares, with their
standard error.
`.trim();
