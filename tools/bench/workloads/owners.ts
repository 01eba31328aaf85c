import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from '../../host';
import type { FaultRule } from '../../sandbox/types';
import { Bench } from '../bench';
import { smsWorkflow } from '../sms';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

const phone = (index: number) => `55119${10_000_001 + index}`;
const others = "={{ '55219' + (80000001 + $itemIndex) }}";

interface OwnerCase {
	what: string;
	count: number;
	requestsPerSecond?: number;
	/** Numbers of the list that are always refused. */
	refused?: string[];
	rules: FaultRule[];
	/** The messages of another execution at the same time, with how many a second. */
	beside?: { operation: 'sendMedia' | 'sendSms'; count: number; requestsPerSecond?: number };
}

const refusing = (refused: string[], retryAfter?: number) => ({
	refused,
	rules: refused.map((to) => ({ to, fault: { tooMany: true, retryAfter } as const })),
});
const media = { operation: 'sendMedia', count: 30 } as const;
const busy = { status: 503, body: { success: false, message: 'Ocupado.' } };
const three = [phone(20), phone(150), phone(270)];

const ownerCases: OwnerCase[] = [
	{
		what: 'media answered with 503',
		count: 60,
		rules: [{ operation: 'sendMedia', fault: busy }],
		beside: media,
	},
	{
		what: 'media to wait for 120 s',
		count: 60,
		rules: [{ operation: 'sendMedia', fault: { tooMany: true, retryAfter: 120 } }],
		beside: media,
	},
	{ what: 'one number refused', count: 300, ...refusing(three.slice(0, 1)) },
	{ what: 'one number to wait for 5 s', count: 60, ...refusing(three.slice(0, 1), 5) },
	{ what: 'three numbers refused', count: 300, ...refusing(three) },
	{
		what: 'one message, refused, beside another list',
		count: 1,
		...refusing([phone(0)]),
		beside: { operation: 'sendSms', count: 1000 },
	},
	{
		what: '20 a second beside 1 a second',
		count: 60,
		requestsPerSecond: 20,
		rules: [],
		beside: { operation: 'sendSms', count: 10, requestsPerSecond: 1 },
	},
];

export const owners: Workload = {
	name: 'owners',
	title: 'SMS beside a limit that is not theirs',
	text: 'A list of SMS while the service refuses something else: media of the same account, or some of the numbers, always. Or while another execution sends at its own *Requests per Second*. Time from the first request to the last that was accepted, also without what is refused (alone). The service takes 50 ms for an answer, *On Error* is *Continue*, and each run has a new account.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const measured = [];
			for (const each of setup.quick ? ownerCases.slice(2, 3) : ownerCases) {
				const alone = await sendWithOthers(bench, { ...each, rules: [], beside: undefined });
				measured.push({ ...each, alone: alone.seconds, ...(await sendWithOthers(bench, each)) });
				console.log(measured.at(-1));
			}
			return {
				columns: [
					'what is refused',
					's, alone',
					's',
					'÷ alone',
					'not sent',
					'requests to a refused one',
				],
				rows: measured.map(({ what, alone, seconds, notSent, tries }) => [
					what,
					...[alone, seconds, seconds / alone].map((figure) =>
						Number.isFinite(figure) ? figure.toFixed(2) : '',
					),
					String(notSent),
					tries === undefined ? '' : String(tries),
				]),
				targets: measured.flatMap(({ what, alone, seconds, notSent, tries }) => [
					{ what: `${what}: not sent`, limit: 0, measured: notSent },
					...(tries === undefined
						? []
						: [{ what: `${what}: requests to it`, limit: 4, measured: tries }]),
					...(Number.isFinite(seconds)
						? [{ what: `${what}: ÷ alone`, limit: 1.5, measured: seconds / alone }]
						: []),
				]),
			};
		}),
};

/** `notSent` does not count what is refused. */
async function sendWithOthers(
	bench: Bench,
	{ count, requestsPerSecond, refused, rules, beside }: OwnerCase,
) {
	const { client } = bench.sandbox;
	const account = await bench.newAccount([...rules, { fault: { delayMs: 50 } }]);
	const create = async (operation: string, size: number, perSecond = 0, more = {}) => {
		const own = await bench.credentialWith(account, { requestsPerSecond: perSecond });
		const node = smsNode('package', own);
		const parameters = { ...node.parameters, operation, ...more };
		const send = { ...node, parameters, onError: 'continueRegularOutput' } as const;
		return await bench.host.client.createWorkflow(smsWorkflow(size, send));
	};
	const background =
		beside &&
		(await bench.host.client.run(
			await create(beside.operation, beside.count, beside.requestsPerSecond, {
				to: others,
				mediaUrl: 'https://files.example/a.png',
			}),
		));
	while (beside && (await client.requests()).length < beside.count / 5) await sleep(50);
	const execution = await bench.run(await create('sendSms', count, requestsPerSecond));
	const numberIn = ({ body }: { body: unknown }) => String((body as { to?: unknown }).to);
	const isOwn = (message: { body: unknown }) => numberIn(message).startsWith('55119');
	const own = (await client.requests()).filter(isOwn);
	const accepted = (await client.accepted()).filter(isOwn);
	const out = outputOf(execution, measuredNode).length;
	const sent = new Set(accepted.map(({ to }) => to)).size;
	if (out !== count || accepted.length !== sent) throw new Error(`${out} out, ${sent} sent`);
	// Media that are refused go on for minutes.
	if (background) await bench.host.client.cancel(background).catch(() => {}); // it may have ended
	const last = Math.max(...accepted.map(({ at }) => at));
	const triesOf = (to: string) => own.filter((request) => numberIn(request) === to).length;
	return {
		seconds: (last - own[0]!.at) / 1000,
		notSent: count - sent - (rules.length > 0 ? (refused?.length ?? 0) : 0),
		tries: refused && Math.max(...refused.map(triesOf)),
	};
}
