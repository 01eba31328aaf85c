import { sleep } from 'n8n-workflow';

import { isNothing } from '../../form/item';
import { allowsEverybody, isReachable, parseRanges, readOwnAddress } from '../../gateway/addresses';
import { inProcess } from '../../gateway/maps';
import { ownerOfNode, type Problem } from '../../gateway/node';
import { Lanes } from '../../gateway/pacing/queues';
import { tokenOf } from '../../gateway/triggerToken';
import type { TriggerOptions } from '../form';
import { pendingSecrets, staticData } from '../identity';
import { testLimitMs, viewOf, type WebhookView } from './holder';
import * as problems from './problems';
import type { RegistrationContext, Self } from './self';
import { addressOf, hasToken } from './url';

/** The waits before each read: a service may take a moment to show a new URL. */
const readDelaysMs = [0, 500, 2_000];

/** The waits before another look: another process may just be writing an older webhook. */
const recheckDelaysMs = [500, 500, 2_000];

const serviceQueue = inProcess.each(1_000, () => new Lanes());

/**
 * Runs a task in its turn: whoever has read the webhook writes it before the next one reads it. The queue
 * is the service's, as an account may have several API keys.
 */
const inTurn = async <T>({ client }: Self, task: () => Promise<T>): Promise<T> =>
	await serviceQueue(client.origin).run(['webhook'], task);

/** Listening publishes a test. A check is made every three minutes, and when n8n starts. */
type RegistrationEvent = 'publish' | 'check';

/**
 * Looks at the account's webhook, and registers this node where it is nobody's or its own.
 *
 * @param optionsProblem why no delivery can start the workflow, as `findOptionsProblem` gave it
 * @returns what it found, and whether it has registered
 * @throws NodeOperationError when somebody else has the webhook
 */
export async function handleEvent(
	event: RegistrationEvent,
	self: Self,
	optionsProblem: Problem | undefined,
): Promise<{ view: WebhookView; isRegistered: boolean }> {
	requireDeliveries(self);
	if (optionsProblem) throw self.errorOf(optionsProblem);
	const { context, address, digest, isTest, publication } = self;
	const act = async (mayWrite: boolean) => {
		const view = viewOf(await self.readWebhook(), self);
		const refusal = event === 'publish' ? refusePublication(view, self) : refuseCheck(view, self);
		const isGood = event === 'check' && ['upToDate', 'test', 'ownTest'].includes(view.holder);
		const isRegistered = !refusal && !isGood;
		if (isRegistered && !mayWrite) return undefined;
		if (isRegistered) await register(event, view, self);
		publication.isStarting = false;
		if (refusal) throw self.errorOf(refusal);
		if (!isTest && (isRegistered || view.holder === 'upToDate'))
			staticData.add(context, { address, digest }); // n8n may have brought an older copy back
		return { view, isRegistered };
	};
	// A check seldom changes anything, so it does not wait for others at a slow service.
	const seen = event === 'check' ? await act(false) : undefined;
	return seen ?? (await inTurn(self, async () => await act(true)))!;
}

/** @throws NodeOperationError when no delivery can reach this n8n */
function requireDeliveries({ context, address, client, errorOf }: Self): void {
	const url = readOwnAddress(address, context.getInstanceBaseUrl(), ownerOfNode(context.getNode()));
	if (!isReachable(url, client.origin)) throw errorOf(problems.unreachable(address, client.origin));
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

const refusePublication = (view: WebhookView, self: Self): Problem | undefined =>
	view.isOthers ? problems.inUse(view, self) : undefined;

/** A test is no problem: it ends by itself. */
function refuseCheck(view: WebhookView, self: Self): Problem | undefined {
	const { webhook, holder, isOthers } = view;
	if (holder === 'test') return undefined;
	// With another API key, this may be another account, of which also what is off stays as it is.
	const isForeign = isOthers || (holder === 'nobody' && webhook && !hasToken(webhook.url));
	if (isForeign && !self.isSameKey) return problems.otherAccount(webhook!.url);
	return isOthers ? problems.takenBy(view, self) : undefined;
}

/**
 * Registers this node's URL, and checks that the service has stored it. If not, restores what was there,
 * which was this node's or nobody's, even if the service already shows that: it may be out of date.
 * Leaves what somebody else has written meanwhile.
 *
 * @throws NodeOperationError when the service does not store the URL, or somebody else was faster
 */
async function register(event: RegistrationEvent, before: WebhookView, self: Self): Promise<void> {
	const { context, address, isTest } = self;
	if (isTest) staticData.add(context, { borrows: true });
	const url = isTest ? self.testUrl(Date.now() + testLimitMs) : self.productionUrl();
	const { secret } = tokenOf(url)!;
	if (event === 'publish') pendingSecrets.set(secret, true);
	await self.setWebhook({ url, enabled: true }).finally(() => pendingSecrets.delete(secret));
	let shown = before;
	for (const delayMs of readDelaysMs) {
		if (delayMs > 0) await sleep(delayMs);
		shown = viewOf(await self.readWebhook(), self);
		// A test of this node may have borrowed it meanwhile, in another process.
		const isKept = shown.webhook?.url === url && shown.webhook.enabled;
		if (isKept || (!isTest && shown.holder === 'ownTest')) return;
	}
	// A URL at this node's own address is the one that the service has changed.
	if (shown.isOthers && addressOf(shown.webhook!.url) !== address)
		throw self.errorOf(problems.inUse(shown, self));
	const enabled = before.holder !== 'nobody';
	await self.setWebhook(before.webhook && { ...before.webhook, enabled });
	throw self.errorOf(problems.notKept(url, shown.webhook));
}

/**
 * Ends a publication: switches the webhook off. Ends a test: gives it back to the node's publication, or
 * switches it off. Leaves what is somebody else's. Ends when a read shows nothing of this node.
 *
 * @throws NodeOperationError when the service still has this node's URL
 */
export async function endRegistration(self: Self): Promise<void> {
	const { context, isTest, publication } = self;
	await inTurn(self, async () => {
		let { isOwn } = viewOf(await self.readWebhook(), self);
		if (!isOwn)
			context.logger.info('Left the webhook of the account alone: it does not point to this node');
		for (const delayMs of recheckDelaysMs) {
			if (!isOwn) return;
			const url = isTest && publication.address && self.productionUrl(publication.address);
			await self.setWebhook(url ? { url, enabled: true } : undefined);
			await sleep(delayMs);
			// The service has accepted the change, so a failed read does not undo that.
			({ isOwn } = viewOf(await self.readWebhook().catch(() => undefined), self));
		}
		if (isOwn) throw self.errorOf(problems.notEnded(self));
	});
}
