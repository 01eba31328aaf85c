import { sleep, type IHookFunctions } from 'n8n-workflow';

import { isReachable } from '../../text/reachable';
import { findInvalidEntry } from '../delivery/allowedIps';
import { allowedIpsError, unreachableError } from '../errors';
import { forget, recall, remember } from '../secret/cache';
import { digestOf } from '../token';
import type { Pile } from '../displaced';
import { isTest, testLimitMs, type ConflictPolicy } from './ownership';
import { goOnKeeping, keepRegistered, stopKeeping } from './keep';
import { AccountWebhook, type Purpose } from './accountWebhook';

/** In ms: how long it waits before it tries again to give back what a test has borrowed. */
const giveBackAgainAfter = [1_000, 3_000];

/**
 * Whether the service has exactly our URL, and it is on. n8n asks before it calls `create`.
 *
 * @throws NodeOperationError and NodeApiError as `create` does
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	if (listens(context)) return false;
	goOnKeeping(context);
	if (isStart(context)) return false;
	const address = addressFor(context);
	const webhook = await open(context, 'publish');
	const pile = await webhook.read();
	if (webhook.holder(pile) !== 'us') return false;
	checkSettings(context, address, webhook);
	const displaces = webhook.beneath(pile).length > 0;
	remember(context, { address, digest: digestOf(webhook.secret), displaces });
	return true;
}

/**
 * Points the account's webhook here, with what was there before sealed in the URL.
 *
 * @throws NodeOperationError when another one uses the webhook, the service cannot reach n8n, or it
 * does not keep the URL
 * @throws NodeApiError when the service does not play along
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	const address = addressFor(context);
	if (isStart(context)) {
		remember(context, { address });
		const isNewProcess = context.getActivationMode() === 'init';
		await keepRegistered(context, address, isNewProcess ? 'start' : 'look');
		return true;
	}
	forget(context); // until it is registered, `remove` is to undo it
	const webhook = await open(context, 'publish');
	checkSettings(context, address, webhook);

	const pile = await webhook.read();
	checkConflict(context, pile, webhook);
	const beneath = webhook.beneath(pile);
	if (listens(context)) {
		context.getWorkflowStaticData('node').borrows = true; // a test's static data is its own
		await webhook.register(beneath, Date.now() + testLimitMs);
	} else {
		await webhook.register(beneath);
		const digest = digestOf(webhook.secret);
		remember(context, { address, digest, displaces: beneath.length > 0 });
	}
	return true;
}

/**
 * Gives the webhook back, or switches it off. Where somebody else has it, this node is only taken
 * out of what that one will give back.
 *
 * After a test, or a publication that did not succeed, it logs what goes wrong. n8n tries nothing
 * again there, and n8n 2.40 does not bear a `delete` that throws: it takes the next publication for
 * done without calling `create`, and the next test of any workflow keeps it busy for a minute.
 *
 * @throws NodeApiError when unpublishing and the service does not play along
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	const isPublished = recall(context).address !== undefined;
	if (listens(context)) return await endTest(context);
	await stopKeeping(context);
	return await giveBack(context).catch((error: Error) => {
		goOnKeeping(context);
		if (isPublished) throw error;
		return logFailure(context, error);
	});
}

async function endTest(context: IHookFunctions): Promise<boolean> {
	const hasBorrowed = context.getWorkflowStaticData('node').borrows === true;
	for (const wait of hasBorrowed ? giveBackAgainAfter : []) {
		if (await giveBack(context).catch(() => false)) return true;
		await sleep(wait);
	}
	return await giveBack(context).catch((error: Error) => logFailure(context, error));
}

function logFailure(context: IHookFunctions, { message }: Error): boolean {
	context.logger.error(`Did not give the webhook of the account back: ${message}`);
	return false;
}

async function giveBack(context: IHookFunctions): Promise<boolean> {
	const webhook = await open(context, 'end');
	const pile = await webhook.read();
	const rest = pile.filter(({ url }) => !webhook.isThis(url));
	if (rest.length < pile.length) await webhook.write(rest);
	if (rest[0] === pile[0]) {
		context.logger.info('Left the webhook of the account alone: it does not point to this node');
	}
	if (rest.length === pile.length && recall(context).displaces) {
		context.logger.warn(
			'What this workflow had displaced is not given back: its registration was lost or taken. Set the webhook of the account where it is needed.',
		);
	}
	forget(context);
	return true;
}

/** Our own node's URL is no conflict: production, a test of this node, a moved instance. */
function checkConflict(context: IHookFunctions, pile: Pile, webhook: AccountWebhook): void {
	if ((context.getNodeParameter('conflict') as ConflictPolicy) === 'takeOver') return;
	// What lies beneath a test stands there again after it.
	for (const each of pile[0]?.enabled && isTest(pile[0]) ? [pile.slice(1), pile] : [pile]) {
		const holder = webhook.holder(each);
		if (holder === 'nobody' || webhook.isOwn(each[0]!.url)) continue;
		throw webhook.conflict(holder, each[0]!.url);
	}
}

function checkSettings(context: IHookFunctions, address: string, { origin }: AccountWebhook): void {
	if (!isReachable(address, origin)) {
		throw unreachableError(context.getNode(), address, origin);
	}
	const invalid = findInvalidEntry(context.getNodeParameter('options.allowedIps', ''));
	if (invalid !== undefined) throw allowedIpsError(context.getNode(), invalid);
}

const open = async (context: IHookFunctions, purpose: Purpose): Promise<AccountWebhook> =>
	await AccountWebhook.open(context, addressFor(context), purpose, listens(context));

/** Whether it is about a test. n8n ends one as it unpublishes, but in a workflow that is not active. */
const listens = (context: IHookFunctions): boolean =>
	context.getActivationMode() === 'manual' || !context.getWorkflow().active;

/** n8n's own start, with nobody there to read an error: what can't be repaired now, the watch repeats. */
const isStart = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

const addressFor = (context: IHookFunctions): string => context.getNodeWebhookUrl('default')!;
