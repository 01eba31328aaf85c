import { sleep, type IHookFunctions } from 'n8n-workflow';

import { findInvalidEntry } from '../delivery/verify';
import { errorOf, notAnIp } from '../errors';
import { forget, recall, store } from '../token';
import { AccountWebhook, type Purpose } from './accountWebhook';
import { displacedIn, inTheWay, reachedIn, testLimitMs, type ConflictPolicy } from './ownership';
import { goOnWatching, keepRegistered, stopWatching } from './watch';

/** In ms: how long it waits before it tries again to give back what a test has borrowed. */
const giveBackAgainAfter = [1_000, 3_000];

/**
 * Whether the service has exactly our URL, and it is on, or those above it pass deliveries on. n8n asks
 * before it calls `create`.
 *
 * @throws NodeOperationError and NodeApiError as `create` does
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	if (listens(context)) return false;
	goOnWatching(context);
	if (isStart(context)) return false;
	const webhook = await open(context, 'publish');
	const found = await webhook.read();
	if (reachedIn(found)?.holder !== 'us') return false;
	checkSettings(context, webhook);
	webhook.remember(displacedIn(found), addressFor(context));
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
		store(context, { address });
		const isNewProcess = context.getActivationMode() === 'init';
		await keepRegistered(context, address, isNewProcess ? 'start' : 'check');
		return true;
	}
	forget(context); // until it is registered, `remove` is to undo it
	const webhook = await open(context, 'publish');
	checkSettings(context, webhook);

	const found = await webhook.read();
	const conflict = inTheWay(found, context.getNodeParameter('conflict') as ConflictPolicy);
	if (conflict) throw webhook.conflict(conflict);
	const displaced = displacedIn(found);
	if (listens(context)) {
		context.getWorkflowStaticData('node').borrows = true; // a test's static data is its own
		await webhook.register(displaced, Date.now() + testLimitMs);
	} else {
		await webhook.register(displaced);
		webhook.remember(displaced, address);
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
	await stopWatching(context);
	return await giveBack(context).catch((error: Error) => {
		goOnWatching(context);
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
	context.logger.error(`Could not give the webhook of the account back: ${message}`);
	return false;
}

async function giveBack(context: IHookFunctions): Promise<boolean> {
	const webhook = await open(context, 'end');
	const found = await webhook.read();
	const rest = found.filter(({ isThis }) => !isThis);
	if (rest.length < found.length) await webhook.write(rest);
	if (rest[0] === found[0]) {
		context.logger.info('Left the webhook of the account alone: it does not point to this node');
	}
	if (rest.length === found.length && recall(context).displaces) {
		context.logger.warn(
			'The webhook that this workflow had displaced is not given back, because the registration was lost or taken over. Set it again in your messaging service if it is still needed.',
		);
	}
	forget(context);
	return true;
}

function checkSettings(context: IHookFunctions, webhook: AccountWebhook): void {
	webhook.requireReachable();
	const invalid = findInvalidEntry(context.getNodeParameter('options.allowedIps', ''));
	if (invalid !== undefined) throw errorOf(context, notAnIp(invalid));
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
