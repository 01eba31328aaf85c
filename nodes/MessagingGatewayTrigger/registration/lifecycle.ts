import type { IHookFunctions } from 'n8n-workflow';

import { findInvalidEntry } from '../delivery/allowedIps';
import { openAccount, type Account, type WebhookConfiguration } from './account';
import { isTest, toBorrow, toGiveBack } from './borrowing';
import { holderOf, type ConflictPolicy } from './judge';
import { remember } from './memory';
import { isReachable } from './reachable';
import {
	clearRegistration,
	isTentative,
	loadRegistration,
	saveRegistration,
	secretOfNode,
	setTentative,
	type Registration,
	type Webhook,
} from './store';
import { allowedIpsError, conflictError, unreachableError } from './texts';
import { registeredUrl, sameAddress, sameNode } from './url';
import { keepRegistered } from './watch';

/** Whether the service has exactly our URL, and it is on. Writes nothing. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	const registration = loadRegistration(context);
	if (!registration || isTentative(context) || isStart(context)) return false;
	if (!sameAddress(registration.url, ownAddress(context))) return false;
	const account = await openAccount(context);
	return holderOf(await account.read(), registration.url) === 'us';
}

/**
 * Points the account's webhook here and remembers what was there before.
 *
 * @throws NodeOperationError when another one uses the webhook, or the service cannot reach n8n
 * @throws NodeApiError when the service does not play along
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	const address = ownAddress(context);
	const earlier = loadRegistration(context);
	if (earlier && isStart(context) && !isTentative(context)) {
		remember(earlier);
		await keepRegistered(context, { address });
		return true;
	}
	const listens = context.getActivationMode() === 'manual';
	setTentative(context, true);
	const account = await openAccount(context);
	checkSettings(context, address, account);

	const current = await account.read();
	const borrowed = toBorrow(current, {
		account: account.id,
		earlier,
		isOwn: (url) => !listens && isOwn(context, url),
	});
	if (!listens) checkConflict(context, current, borrowed);

	// Kept before the service is told, so that `delete` can undo whatever becomes of that.
	const registration: Registration = {
		url: registeredUrl(address, secretOfNode(context), { isTest: listens }),
		account: account.id,
		borrowed,
	};
	saveRegistration(context, registration);
	await account.write({ url: registration.url, enabled: true });
	setTentative(context, listens);
	return true;
}

/**
 * Gives the webhook back, or switches it off; leaves it alone when somebody else has it.
 *
 * After a test, or a publication that did not succeed, it only logs what goes wrong. n8n tries nothing
 * again there, and n8n 2.40 does not bear a `delete` that throws: it takes the next publication for
 * done without calling `create`, and the next test of any workflow keeps it busy for a minute, copying
 * what it has left of this one.
 *
 * @throws NodeApiError when unpublishing and the service does not play along
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	if (!isTentative(context)) return await giveBack(context);
	return await giveBack(context).catch((error: Error) => {
		context.logger.error(`Did not give the webhook of the account back: ${error.message}`);
		return false;
	});
}

async function giveBack(context: IHookFunctions): Promise<boolean> {
	const address = ownAddress(context);
	const registration = loadRegistration(context);
	const account = await openAccount(context);
	const { url } = await account.read();

	const ours = [address, registration?.url].some((own) => own && url && sameAddress(url, own));
	if (ours) {
		await account.write(toGiveBack(registration, account.id) ?? { url: address, enabled: false });
	} else {
		context.logger.info('Left the webhook of the account alone: it does not point to this node');
	}
	clearRegistration(context, address);
	return true;
}

/** n8n's own start, with nobody there to read an error: what can't be repaired now, the watch repeats. */
function isStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

function ownAddress(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default')!;
}

function checkSettings(context: IHookFunctions, address: string, { origin }: Account): void {
	if (!isReachable(address, origin)) {
		throw unreachableError(context.getNode(), address, origin);
	}
	const invalid = findInvalidEntry(context.getNodeParameter('options.allowedIps', ''));
	if (invalid !== undefined) throw allowedIpsError(context.getNode(), invalid);
}

/** @param borrowed what publishing would displace; beneath a test, that stands there again after it */
function checkConflict(
	context: IHookFunctions,
	current: WebhookConfiguration,
	borrowed: Webhook[],
): void {
	if ((context.getNodeParameter('conflict') as ConflictPolicy) === 'takeOver') return;
	const beneath = current.url !== null && isTest(current.url) ? borrowed.slice(0, 1) : [];
	for (const webhook of [...beneath, current]) {
		const holder = holderOf(webhook, ownAddress(context));
		if (holder === 'nobody' || isOwn(context, webhook.url!)) continue;
		throw conflictError(context.getNode(), holder, webhook.url!);
	}
}

/** Our own node's URL is no conflict: a moved instance, a restored backup, a test of this node. */
function isOwn(context: IHookFunctions, url: string): boolean {
	return sameNode(url, ownAddress(context), context.getNode().webhookId);
}
