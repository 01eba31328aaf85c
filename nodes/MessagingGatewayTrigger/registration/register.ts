import { sleep } from 'n8n-workflow';

import { isNothing } from '../../form/item';
import { allowsEverybody, isReachable, parseRanges } from '../../gateway/addresses';
import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/maps';
import type { Problem } from '../../gateway/node';
import { Lanes } from '../../gateway/pacing/queues';
import { tokenOf } from '../../gateway/triggerToken';
import type { TriggerOptions } from '../form';
import { pendingSecrets, staticData } from '../identity';
import { lastRemembered, testLimitMs, toRemember, viewOf, type WebhookView } from './holder';
import * as problems from './problems';
import type { RegistrationContext, Self } from './self';
import { addressOf, remember, type Remembered } from './url';

/** The longest URL, in characters. Too many servers and databases cut longer ones off. */
const maxUrlLength = 2_000;

/** The waits before each read: a service may take a moment to show a new URL. */
const readDelaysMs = [0, 500, 2_000];

/** The waits before another look: another process may just be writing an older webhook. */
const recheckDelaysMs = [500, 500, 2_000];

/** The longest wait, in ms, for triggers with other API keys. */
export const longestWaitMs = 15_000;

const serviceQueue = inProcess.each(1_000, () => new Lanes());

/**
 * Runs a task in its turn: whoever has read the webhook writes it before the next one reads it. The queue
 * is the service's, as an account may have several API keys. Most other keys are of other accounts, though,
 * so the wait for them is short. Then a registration fails, since it could overwrite another one; n8n and
 * the watch repeat it. Giving back goes on, as n8n would leave the webhook behind, but always waits for
 * its own key, with which this node may still be registering.
 */
async function inTurn<T>(self: Self, isGivingBack: boolean, task: () => Promise<T>): Promise<T> {
	const { origin } = self.client;
	const clock = AbortSignal.timeout(longestWaitMs);
	const late = new Promise<void>((resolve) => (clock.onabort = () => resolve()));
	const runTask = async () => {
		if (clock.aborted && !isGivingBack) throw self.errorOf(problems.busy(origin));
		return await task();
	};
	const queue = serviceQueue(origin);
	const waitForOthers = async () => await queue.run(['any key'], runTask, late);
	const ownLane = [self.sealingKey.toString('base64')];
	return await queue.run(ownLane, waitForOthers, isGivingBack ? undefined : late);
}

/** The event at which a node is called: `start` is n8n's own start. Listening publishes a test. */
type RegistrationEvent = 'publish' | 'start' | 'check';

/**
 * - leave: deliveries reach the published node, or will when a test is over.
 * - until: when the test ends that has the webhook, in ms since 1970.
 * - problem: why it refuses, or what a check has to repair.
 */
type Plan = { do: 'leave'; until?: number } | { do: 'refuse' | 'register'; problem: Problem };

/**
 * Looks at the account's webhook, decides, and carries that out.
 *
 * @param optionsProblem why no delivery can start the workflow, as `findOptionsProblem` gave it
 */
export async function handleEvent(
	event: RegistrationEvent,
	self: Self,
	optionsProblem: Problem | undefined,
): Promise<Plan> {
	requireDeliveries(self);
	if (optionsProblem) throw self.errorOf(optionsProblem);
	const { context, address, digest, isTest } = self;
	// Nothing tells a copy of n8n from one that has moved, which has to follow its new address.
	const isStart = event === 'start';
	const look = async () => viewOf(await self.readWebhook(), self, isStart);
	const settle = (plan: Plan, { holder }: WebhookView): Plan => {
		if (!isTest && (plan.do === 'register' || holder === 'upToDate'))
			staticData.add(context, { address, digest }); // n8n may have brought an older copy back
		return plan;
	};
	if (event === 'check') {
		// A check seldom changes anything, so it does not wait for other accounts at a slow service.
		const view = await look();
		const plan = decide(event, view, self);
		if (plan.do !== 'register' && view.holder !== 'endedTest') return settle(plan, view);
	}
	return await inTurn(self, false, async () => {
		let view = await look();
		if (view.holder === 'endedTest') {
			// Perhaps nobody else is there to give back what the test has borrowed.
			await self.setWebhook(view.remembered);
			view = viewOf(view.remembered, self, isStart);
		}
		const plan = decide(event, view, self);
		if (plan.do === 'register') await register(event, view, self);
		return settle(plan, view);
	});
}

/** @throws NodeOperationError when no delivery can reach this n8n */
function requireDeliveries({ address, client, errorOf }: Self): void {
	if (!isReachable(new URL(address), client.origin))
		throw errorOf(problems.unreachable(address, client.origin));
}

/**
 * Returns why the options would let no delivery start the workflow. A check cannot find out: n8n evaluates
 * expressions only while it publishes or starts a workflow.
 */
export function findOptionsProblem(context: RegistrationContext): Problem | undefined {
	let options: TriggerOptions;
	try {
		// All of them, as a delivery reads them: an expression that fails is refused here.
		options = context.getNodeParameter('options', {}) as TriggerOptions;
	} catch (error) {
		return problems.notEvaluated(error as Error);
	}
	const { invalid } = parseRanges(options.allowedIps);
	if (invalid !== undefined) return problems.notAnIp(invalid);
	const entered = context.getNodeParameter('options.allowedIps', '', { rawExpressions: true });
	if (allowsEverybody(options.allowedIps) && !allowsEverybody(entered))
		return problems.givesNothing('Allowed IPs');

	const isLost = (value: unknown) => isNothing(value) || /\{\{|^\s*\$json\b/.test(String(value));
	// Without a field, a value would let everything through.
	const conditions = options.match?.conditions ?? [];
	if (conditions.some(({ field, value }) => isLost(field) || isLost(value) || (value && !field)))
		return problems.givesNothing('Match');
	return undefined;
}

/** Decides what to do about the webhook. A test that is over was given back before. */
const decide = (event: RegistrationEvent, view: WebhookView, self: Self): Plan =>
	event === 'publish' ? decidePublication(view, self) : decideCheck(view, self);

function decidePublication(view: WebhookView, self: Self): Plan {
	// Somebody else's webhook may be in force, or will be after a test.
	const found = view.holder === 'test' ? [viewOf(view.remembered, self), view] : [view];
	const isConflict = (each: WebhookView) => each.holder !== 'nobody' && !each.leadsHere;
	const conflict = self.takesOver ? undefined : found.find(isConflict);
	const isUnreadable = isConflict(view) && view.remembered === undefined;
	const obstacle = conflict ?? (isUnreadable ? view : undefined);
	if (!obstacle) return { do: 'register', problem: problems.repaired(view) };
	const describe = conflict || obstacle.holder === 'test' ? problems.inUse : problems.otherKey;
	return { do: 'refuse', problem: describe(obstacle, self) };
}

/** Decides for the watch. If it may not take the webhook back, it refuses: nobody is there to ask. */
function decideCheck(view: WebhookView, self: Self): Plan {
	const { webhook, holder, leadsHere } = view;
	if (holder === 'test') return { do: 'leave', until: tokenOf(webhook!.url)!.until };
	if (holder === 'upToDate') return { do: 'leave' };
	if (webhook && !leadsHere) {
		const { url } = webhook;
		// The webhook of another account may only be set if there is none.
		if (!self.isSameKey) return { do: 'refuse', problem: problems.otherAccount(url) };
		if (holder === 'copy') return { do: 'refuse', problem: problems.copied(url, self.address) };
		const isTaken = holder === 'trigger' || (holder === 'foreign' && !self.takesOver);
		if (isTaken) return { do: 'refuse', problem: problems.takenBy(view, self) };
	}
	return { do: 'register', problem: problems.repaired(view) };
}

/**
 * Registers this node's URL, and checks that the service has stored it. If not, restores what was
 * there, even if the service already shows that: it may be out of date. Leaves what somebody else has
 * written meanwhile.
 *
 * @throws NodeOperationError when the service does not store the URL, or somebody else was faster
 */
async function register(event: RegistrationEvent, view: WebhookView, self: Self): Promise<void> {
	const { context, isTest } = self;
	const isLost = event !== 'publish' && view.webhook === undefined && self.isSameKey;
	const replaced = isLost ? lastRemembered.get(self.memoryKey) : toRemember(view, self);
	const ownUrl = self.urlUntil(isTest ? Date.now() + testLimitMs : undefined);
	const url = remember(ownUrl, replaced, self.sealingKey);
	if (replaced && url.length > maxUrlLength) throw self.errorOf(problems.tooLong(maxUrlLength));
	if (isTest) staticData.add(context, { borrows: true });
	lastRemembered.set(self.memoryKey, replaced ?? null);
	const { secret } = tokenOf(ownUrl)!;
	if (event === 'publish') pendingSecrets.set(secret, true);
	await self.setWebhook({ url, enabled: true }).finally(() => pendingSecrets.delete(secret));
	let shown: Webhook | undefined;
	for (const delayMs of readDelaysMs) {
		if (delayMs > 0) await sleep(delayMs);
		shown = await self.readWebhook();
		// If a test has the webhook by now, it has to remember this URL.
		const isKept = shown && [shown.url, viewOf(shown, self).remembered?.url].includes(url);
		if (shown?.enabled && isKept) return;
	}
	// A URL at this node's own address is the one that the service has changed.
	if (shown && shown.url !== view.webhook?.url && addressOf(shown.url) !== self.address)
		throw self.errorOf(problems.inUse(viewOf(shown, self), self));
	await self.setWebhook(view.webhook);
	throw self.errorOf(problems.notKept(url, shown));
}

/**
 * Gives the webhook back at the end of a publication or a test: writes what this node remembers, or
 * switches it off. If a test has it that would give it back to this node, that test then gives back
 * what this node remembers. Ends when a read shows nothing of this node.
 *
 * @returns whether the webhook is free for other triggers now
 * @throws NodeOperationError when the service still has this node's URL
 */
export async function giveBack(self: Self): Promise<boolean> {
	return await inTurn(self, true, async () => {
		let view = viewOf(await self.readWebhook(), self);
		const { logger } = self.context;
		if (!view.isOwn)
			logger.info('Left the webhook of the account alone: it does not point to this node');
		let isFree = false;
		for (const delayMs of recheckDelaysMs) {
			const rest = withoutNode(view, self);
			if (!rest) return isFree;
			await self.setWebhook(rest.webhook);
			isFree = !rest.webhook || tokenOf(rest.webhook.url) === undefined;
			await sleep(delayMs);
			// The service has accepted the change, so a failed read does not undo that.
			view = viewOf(await self.readWebhook().catch(() => rest.webhook), self);
		}
		if (withoutNode(view, self)) throw self.errorOf(problems.notGivenBack(self));
		return isFree;
	});
}

/** Returns the webhook without this node; undefined if nothing of this node is there. */
function withoutNode(view: WebhookView, self: Self): { webhook: Remembered } | undefined {
	const { webhook, remembered } = view;
	if (view.isOwn || view.holder === 'endedTest') return { webhook: remembered };
	if (!webhook || !remembered || tokenOf(webhook.url)?.until === undefined) return undefined;
	const borrowed = viewOf(remembered, self);
	if (!borrowed.isOwn) return undefined;
	const url = remember(webhook.url, borrowed.remembered, self.sealingKey);
	return { webhook: { ...webhook, url } };
}
