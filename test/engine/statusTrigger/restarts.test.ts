/**
 * 50 restarts of n8n and 100 looks that fail, while campaigns move, jump, go back, grow, vanish and
 * come back: what a bystander sees of the service at each look that reaches it, is told once.
 */
import type { CampaignSetting, FaultRule } from '../../../sandbox';
import { StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();

const ids = ['c-1', 'c-2', 'c-3', 'c-4'];
const places: Record<string, number> = { queued: 0, pending: 0, sent: 1, delivered: 2, error: 2 };
const statuses = [...Object.keys(places), 'lida'];

const faults: FaultRule['fault'][] = [
	{ refuse: 'Token inválido.' },
	{ refuse: 'Campanha não encontrada.' },
	{ status: 401 },
	{ html: true, status: 404 },
];

/** The service as somebody sees it who looks over the node's shoulder. */
class Bystander {
	readonly expected: string[] = [];

	private readonly known = new Map<string, Set<string>>();

	/** @param isCounted false for the first look */
	look(campaigns: Map<string, Map<string, string>>, isCounted = true): void {
		for (const messages of campaigns.values()) {
			for (const [id, status] of messages) {
				const known = this.known.get(id) ?? new Set();
				const isBack = [...known].some((had) => (places[had] ?? 0) > (places[status] ?? 2));
				if (known.has(status) || isBack) continue;
				this.known.set(id, known.add(status));
				if (isCounted) this.expected.push(`${id} ${status}`);
			}
		}
	}
}

it('loses no change and doubles none', async () => {
	// Made up anew each time (Lehmer's generator); a failure shows the seed.
	const seed = Math.floor(Math.random() * 2 ** 30) + 1;
	let random = seed;
	const pick = <T>(values: readonly T[]): T => {
		random = (random * 48_271) % (2 ** 31 - 1);
		return values[random % values.length]!;
	};

	const campaigns = new Map(ids.map((id) => [id, new Map<string, string>()]));
	let messages = 0;
	const put = (campaignId: string) => {
		const entries = [...campaigns.get(campaignId)!];
		const setting: CampaignSetting = {
			channel: 'sms',
			campaignId,
			messages: entries.map(([messageId, status]) => ({ messageId, status, to: '5511912345678' })),
		};
		sandbox().setCampaign(setting);
	};
	const happen = () => {
		for (const id of ids) {
			const own = campaigns.get(id)!;
			for (let count = 0; count < 3; count++) own.set(`m-${++messages}`, pick(statuses));
			for (const each of own.keys()) if (pick([true, false])) own.set(each, pick(statuses));
			if (own.size > 30) own.delete(own.keys().next().value!);
			put(id);
		}
	};

	happen();
	const workflow = new StatusWorkflow(sandbox(), {
		event: 'messageStatusChanged',
		channel: 'sms',
		campaignIds: ids,
	});
	const bystander = new Bystander();
	await workflow.publish();
	bystander.look(campaigns, false);

	const count = { restarts: 0, failed: 0 };
	while (count.restarts < 50 || count.failed < 100) {
		happen();
		const step = pick(['look', 'look', 'fail', 'fail', 'vanish', 'restart', 'failingStart']);
		if (step === 'fail') {
			count.failed++;
			sandbox().fault({ fault: pick(faults) });
			await workflow.look();
			sandbox().clearFaults();
		} else if (step === 'vanish') {
			// Gone at two looks: the first one says so and fails, the second one tells of the others.
			count.failed++;
			const gone = pick(ids);
			sandbox().removeCampaign('sms', gone);
			const failures = workflow.failures.length;
			await workflow.look();
			if (workflow.failures.length > failures) await workflow.look();
			bystander.look(new Map([...campaigns].filter(([id]) => id !== gone)));
		} else if (step === 'look') {
			await workflow.look();
			bystander.look(campaigns);
		} else {
			count.restarts++;
			if (step === 'failingStart') {
				count.failed++;
				sandbox().fault({ fault: pick(faults) });
			}
			await workflow.restart();
			sandbox().clearFaults();
			if (step === 'restart') bystander.look(campaigns);
		}
	}
	happen(); // all are there again
	await workflow.look();
	bystander.look(campaigns);

	const told = workflow.items.map(
		({ messageId, status }) => `${String(messageId)} ${String(status)}`,
	);
	const lost = bystander.expected.filter((each) => !told.includes(each));
	const doubled = told.filter((each, index) => told.indexOf(each) !== index);
	expect({ seed, lost, doubled }).toEqual({ seed, lost: [], doubled: [] });
	expect([...told].sort()).toEqual([...bystander.expected].sort());
	expect(told.length).toBeGreaterThan(1_000);
});
