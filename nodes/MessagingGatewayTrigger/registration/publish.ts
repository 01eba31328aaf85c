import { sleep, type IHookFunctions } from 'n8n-workflow';

import { findInvalidEntry } from '../delivery/verify';
import { errorOf, notAnIp } from '../errors';
import { forget, recall, store } from '../token';
import { AccountWebhook, type Purpose } from './accountWebhook';
import {
	findConflict,
	findReachable,
	testLimitMs,
	toGiveBack,
	type ConflictPolicy,
} from './ownership';
import { keepRegistered, resumeWatching, stopWatching } from './watch';

/** In ms: the waits between attempts to give back what a test has borrowed. */
const giveBackAgainAfter = [1_000, 3_000];

/**
 * Whether deliveries reach this node: the service has exactly our URL, or those above it share. n8n
 * calls this before `create`.
 *
 * @throws NodeOperationError and NodeApiError as `create` does
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
	if (isListening(context)) return false;
	resumeWatching(context);
	if (isStart(context)) return false;
	const webhook = await open(context, 'publish');
	const chain = await webhook.read();
	if (findReachable(chain)?.holder !== 'us') return false;
	checkSettings(context, webhook);
	webhook.remember(toGiveBack(chain), addressFor(context));
	return true;
}

/**
 * Points the account's webhook here, with what it displaces sealed in the URL.
 *
 * @throws NodeOperationError when the webhook is in use, the service cannot reach n8n, or it does not
 * store the URL
 * @throws NodeApiError when the service does not accept a request
 */
export async function create(context: IHookFunctions): Promise<boolean> {
	const address = addressFor(context);
	if (isStart(context)) {
		store(context, { address });
		const isNewProcess = context.getActivationMode() === 'init';
		await keepRegistered(context, address, isNewProcess ? 'start' : 'check');
		return true;
	}
	forget(context); // so that `remove` undoes a failed publication
	const webhook = await open(context, 'publish');
	checkSettings(context, webhook);

	const chain = await webhook.read();
	const conflict = findConflict(chain, context.getNodeParameter('conflict') as ConflictPolicy);
	if (conflict) throw webhook.conflict(conflict);
	const displaced = toGiveBack(chain);
	if (isListening(context)) {
		context.getWorkflowStaticData('node').borrows = true; // a test has its own static data
		await webhook.register(displaced, Date.now() + testLimitMs);
	} else {
		await webhook.register(displaced);
		webhook.remember(displaced, address);
	}
	return true;
}

/**
 * Gives the webhook back, or switches it off. If somebody else has it, only removes this node from
 * what that one will give back.
 *
 * After a test or a failed publication, errors are only logged: n8n would not try again, and n8n 2.40
 * breaks when `delete` throws. It then skips `create` at the next publication, and any workflow's next
 * test keeps it busy for a minute.
 *
 * @throws NodeApiError when unpublishing and the service does not accept a request
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
	const isPublished = recall(context).address !== undefined;
	if (isListening(context)) return await endTest(context);
	await stopWatching(context);
	return await giveBack(context).catch((error: Error) => {
		resumeWatching(context);
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
	const chain = await webhook.read();
	const rest = chain.filter(({ isSelf }) => !isSelf);
	if (rest.length < chain.length) await webhook.write(rest);
	if (rest[0] === chain[0]) {
		context.logger.info('Left the webhook of the account alone: it does not point to this node');
	}
	if (rest.length === chain.length && recall(context).displaces) {
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
	await AccountWebhook.open(context, addressFor(context), purpose, isListening(context));

/** Whether this is about a test. n8n ends one in mode `update`, but the workflow is not active. */
const isListening = (context: IHookFunctions): boolean =>
	context.getActivationMode() === 'manual' || !context.getWorkflow().active;

/** n8n's own start, with nobody there to read an error: the watch repeats what fails now. */
const isStart = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

const addressFor = (context: IHookFunctions): string => context.getNodeWebhookUrl('default')!;
