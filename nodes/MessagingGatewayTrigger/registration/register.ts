import { sleep } from 'n8n-workflow';

import { tokenOf } from '../../account/triggerToken';
import { isNothing } from '../../form/item';
import type { Problem } from '../../n8n/errors';
import { readOwnAddress } from '../../n8n/ownAddress';
import { inProcess } from '../../n8n/processState';
import { Lanes } from '../../pace/lanes';
import { isReachable, hostOf, addressOf } from '../../text/host';
import { findInvalidRange, allowsEverybody } from '../../text/ipRange';
import type { TriggerOptions } from '../form';
import { storeDigest } from '../identity';
import { viewOf, testLimitMs, type WebhookView } from './holder';
import * as problems from './problems';
import type { Self, RegistrationContext } from './self';

/** The waits before each read: a service may take a moment to show a new URL. */
const readDelaysMs = [0, 500, 2_000];

/**
 * Whoever has read the webhook writes it before the next one reads it. The queue is the service's, as an
 * account may have several API keys.
 */
const serviceQueue = inProcess.each(1_000, () => new Lanes());

type RegistrationEvent = 'publish' | 'check';

/**
 * Looks at the account's webhook, and registers this node where it is nobody's or its own.
 *
 * @param event listening publishes a test; a check is made every three minutes, and when n8n starts
 * @param optionsProblem why no delivery can start the workflow, as `findOptionsProblem` gave it
 * @throws NodeOperationError when somebody else has the webhook, or no delivery can reach this n8n
 */
export async function handleEvent(
	event: RegistrationEvent,
	self: Self,
	optionsProblem?: Problem,
): Promise<{ view: WebhookView; isRegistered: boolean }> {
	const { context, address, client, digest, publication } = self;
	const url = readOwnAddress(address, context.getInstanceBaseUrl(), self.owner);
	const { origin } = client;
	if (!isReachable(url, origin)) throw self.errorOf(problems.unreachable(address, origin));
	if (optionsProblem) throw self.errorOf(optionsProblem);
	const act = async (mayWrite: boolean) => {
		const view = viewOf(await self.readWebhook(), self);
		const refusal = refusalOf(event, view, self);
		const isGood = event === 'check' && ['upToDate', 'test', 'ownTest'].includes(view.holder);
		const isRegistered = !refusal && !isGood;
		if (isRegistered && !mayWrite) return undefined;
		if (isRegistered) await register(event, view, self);
		delete publication.published?.isStarting;
		if (refusal) throw self.errorOf(refusal);
		// Again where it is known: n8n may have brought an older copy back.
		if (isRegistered || view.holder === 'upToDate') storeDigest(context, digest);
		return { view, isRegistered };
	};
	// A check seldom changes anything, so it does not wait for others at a slow service.
	const seen = event === 'check' ? await act(false) : undefined;
	return seen ?? (await serviceQueue(origin).run(['webhook'], async () => await act(true)))!;
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
	const invalid = findInvalidRange(options.allowedIps);
	if (invalid !== undefined) return problems.notAnIp(invalid);
	const entered = context.getNodeParameter('options.allowedIps', '', { rawExpressions: true });
	if (allowsEverybody(options.allowedIps) && !allowsEverybody(entered))
		return problems.givesNothing('Allowed IPs');

	const isLost = (value: unknown) =>
		isNothing(value) || /\{\{|^\s*(\$json\b|$)/.test(String(value));
	const conditions = options.match?.conditions ?? [];
	const isMistake = conditions.some(({ field, value }) => isLost(field) || isLost(value));
	return isMistake ? problems.givesNothing('Match') : undefined;
}

/** Returns why the webhook stays as it is, unless all is well. */
function refusalOf(event: RegistrationEvent, view: WebhookView, self: Self): Problem | undefined {
	const { webhook, holder, isOthers } = view;
	if (event === 'publish') return isOthers ? problems.inUse(view, self) : undefined;
	if (holder === 'test') return undefined; // it ends by itself
	// With another API key, this may be another account, of which also what is off stays as it is.
	const isOff = holder === 'nobody' && webhook && hostOf(webhook.url) !== hostOf(self.address);
	if (!self.isSameKey && (isOthers || isOff)) return problems.otherAccount(webhook!.url);
	return isOthers ? problems.takenBy(view, self) : undefined;
}

/**
 * Registers this node's URL, and checks that the service has stored it. If not, restores what was there,
 * which was this node's or nobody's, even if the service already shows that: it may be out of date.
 * Leaves what somebody else has written meanwhile.
 */
async function register(event: RegistrationEvent, before: WebhookView, self: Self): Promise<void> {
	const { address, isTest, publication } = self;
	const url = self.urlAt(address, isTest ? Date.now() + testLimitMs : undefined);
	if (event === 'publish') publication.pendingSecret = tokenOf(url)!.secret;
	await self.setWebhook({ url, enabled: true }).finally(() => delete publication.pendingSecret);
	let shown = before;
	for (const delayMs of readDelaysMs) {
		if (delayMs > 0) await sleep(delayMs);
		shown = viewOf(await self.readWebhook(), self);
		if (shown.webhook?.url === url && shown.webhook.enabled) return;
	}
	// A URL at this node's own address is the one that the service has changed.
	if (shown.isOthers && addressOf(shown.webhook!.url) !== address)
		throw self.errorOf(problems.inUse(shown, self));
	const enabled = before.holder !== 'nobody';
	await self.setWebhook({ ...before.webhook, enabled });
	throw self.errorOf(problems.notKept(url, shown.webhook));
}

/**
 * Ends a publication: switches the webhook off. Ends a test: gives it back to the node's publication, or
 * switches it off. Leaves what is somebody else's.
 */
export async function endRegistration(self: Self): Promise<void> {
	const { client, context, publication } = self;
	// Unpublishing and the end of a test may come at once, so both queue.
	await serviceQueue(client.origin).run(['webhook'], async () => {
		const { isOwn } = viewOf(await self.readWebhook(), self);
		const { published } = publication;
		const back = published ? { url: self.urlAt(published.address), enabled: true } : {};
		if (isOwn) return await self.setWebhook(back);
		context.logger.info('Left the webhook of the account alone: it does not point to this node');
	});
}
