import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, INode, ITriggerFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/boundedMap';
import { isReachable } from '../../shared/reachable';
import { hostOf } from '../address/url';
import { accountError, displacedError, repairedError, unreachableError } from '../errors';
import { recall, remember } from '../secret/cache';
import { digestOf } from '../secret/derive';
import { mayTakeBack, type ConflictPolicy } from './holder';
import { openWebhook } from './webhook';

type Context = IHookFunctions | ITriggerFunctions;

export type Problem = NodeApiError | NodeOperationError;

/** What a look has found that was not as it should be. */
export interface Finding {
	isRepaired: boolean;
	error: Problem;
}

/** The last look at each, by n8n's address of the webhook. */
const looks = new BoundedMap<Promise<unknown>>(1_000);

/** Addresses that were given back: n8n may end their watch only after that. */
const stopped = new BoundedMap<true>(1_000);

/** Waits for a look that is under way, so that it registers nothing that nobody would give back. */
export async function stopKeeping(address: string): Promise<void> {
	stopped.set(address, true);
	await looks.get(address);
}

export const goOnKeeping = (address: string): void => stopped.delete(address);

/**
 * Registers again what the service lost or, where that is wanted, somebody took. Never throws: it
 * logs what is wrong, and returns it.
 */
export async function keepRegistered(
	context: Context,
	address: string,
	isOpen = () => true,
): Promise<Finding | undefined> {
	const look = lookAfter(context, address, () => isOpen() && !stopped.get(address));
	looks.set(address, look);
	return await look;
}

async function lookAfter(
	context: Context,
	address: string,
	isWanted: () => boolean,
): Promise<Finding | undefined> {
	try {
		const error = await repair(context, address, isWanted);
		return error && { isRepaired: true, error };
	} catch (error) {
		const problem = toProblem(context.getNode(), error);
		context.logger.warn(problem.message);
		return { isRepaired: false, error: problem };
	}
}

async function repair(
	context: Context,
	address: string,
	isWanted: () => boolean,
): Promise<Problem | undefined> {
	const webhook = await openWebhook(context, address);
	if (!isReachable(address, webhook.origin)) {
		throw unreachableError(context.getNode(), address, webhook.origin);
	}
	const pile = await webhook.read();
	const [current] = pile;
	const holder = webhook.holder(pile);
	const digest = digestOf(webhook.secret);
	if (holder === 'us') remember(context, { digest });
	if (holder === 'us' || holder === 'test' || !isWanted()) return undefined;

	// Only where nothing is, or our own URL, may another account's webhook be set.
	const isSameKey = [digest, undefined].includes(recall(context).digest);
	if (!isSameKey && current && !webhook.isOwn(current.url)) {
		throw accountError(context.getNode(), current.url);
	}
	const policy = context.getNodeParameter('conflict') as ConflictPolicy;
	if (!mayTakeBack(holder, policy)) {
		throw displacedError(context.getNode(), holder, current!.url, policy);
	}
	const isLost = !current && isSameKey;
	await webhook.register(isLost ? webhook.lastBeneath() : webhook.beneath(pile), pile);
	remember(context, { digest });
	context.logger.info(
		holder === 'foreign'
			? `Took the webhook of the account back from ${hostOf(current!.url)}`
			: 'Registered the webhook of the account again',
	);
	return repairedError(context.getNode(), holder, current?.url);
}

function toProblem(node: INode, error: unknown): Problem {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}
