import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, INode, ITriggerFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../gateway/memory';
import { isReachable } from '../../text/reachable';
import { tokenOf } from '../../gateway/triggerToken';
import { hostOf } from '../url';
import {
	accountError,
	copyError,
	displacedError,
	repairedError,
	unreachableError,
} from '../errors';
import { recall, remember } from '../secret/cache';
import { digestOf, identityOf } from '../token';
import type { Pile } from '../displaced';
import { mayTakeBack, type ConflictPolicy } from './ownership';
import { AccountWebhook, type Purpose } from './accountWebhook';

type Context = IHookFunctions | ITriggerFunctions;

export type Problem = NodeApiError | NodeOperationError;

/** What a look has found that was not as it should be. */
export interface Finding {
	/** The same for problems that only differ in what they name, such as a host. */
	kind: string;
	isRepaired: boolean;
	error: Problem;
}

export interface Look {
	finding?: Finding;
	/** When the test is over that has the webhook, in ms since 1970. */
	testUntil?: number;
}

/** The last look at each, by the node's identity. */
const looks = new BoundedMap<Promise<unknown>>(1_000);

/** Nodes whose webhook was given back: n8n may end their watch only after that. */
const stopped = new BoundedMap<true>(1_000);

/** Waits for a look that is under way, so that it registers nothing that nobody would give back. */
export async function stopKeeping(context: Context): Promise<void> {
	stopped.set(identityOf(context), true);
	await looks.get(identityOf(context));
}

export const goOnKeeping = (context: Context): void => stopped.delete(identityOf(context));

/**
 * Registers again what the service lost or, where that is wanted, somebody took. Never throws: it
 * logs what is wrong, and returns it.
 */
export async function keepRegistered(
	context: Context,
	address: string,
	purpose: Purpose,
	isOpen = () => true,
): Promise<Look> {
	const identity = identityOf(context);
	const look = lookAfter(context, address, purpose, () => isOpen() && !stopped.get(identity));
	looks.set(identity, look);
	return await look;
}

async function lookAfter(...args: Parameters<typeof repair>): Promise<Look> {
	const [context] = args;
	try {
		const look = await repair(...args);
		if (look.finding && !look.finding.isRepaired) warn(context, look.finding.error);
		return look;
	} catch (error) {
		const problem = toProblem(context.getNode(), error);
		warn(context, problem);
		return { finding: { kind: kindOf(problem), isRepaired: false, error: problem } };
	}
}

const warn = (context: Context, { message }: Problem): void => context.logger.warn(message);

async function repair(
	context: Context,
	address: string,
	purpose: Purpose,
	isWanted: () => boolean,
): Promise<Look> {
	const node = context.getNode();
	const webhook = await AccountWebhook.open(context, address, purpose);
	if (!isReachable(address, webhook.origin)) {
		throw unreachableError(node, address, webhook.origin);
	}
	const pile = await webhook.read();
	const [current] = pile;
	const holder = webhook.holder(pile);
	const digest = digestOf(webhook.secret);
	if (holder === 'us') remember(context, { digest, displaces: webhook.beneath(pile).length > 0 });
	if (holder === 'test') return { testUntil: tokenOf(current!.url)?.until };
	if (holder === 'us' || !isWanted()) return {};

	const foundWrong = (error: Problem): Look => ({
		finding: { kind: holder, isRepaired: false, error },
	});
	// Only where nothing is, or our own URL, may another account's webhook be set.
	const isSameKey = [digest, undefined].includes(recall(context).digest);
	if (!isSameKey && current && !webhook.isOwn(current.url)) {
		return foundWrong(accountError(node, current.url));
	}
	if (holder === 'copy') return foundWrong(copyError(node, current!.url, address));
	const policy = context.getNodeParameter('conflict') as ConflictPolicy;
	if (!mayTakeBack(holder, policy)) {
		return foundWrong(displacedError(node, holder, current!.url, policy));
	}
	const isLost = holder === 'nobody' && isSameKey;
	const beneath = isLost ? beneathLost(context, webhook, pile) : webhook.beneath(pile);
	await webhook.register(beneath);
	remember(context, { digest, displaces: beneath.length > 0 });
	context.logger.info(
		holder === 'foreign'
			? `Took the webhook of the account back from ${hostOf(current!.url)}`
			: 'Registered the webhook of the account again',
	);
	const error = repairedError(node, holder, current?.url);
	return { finding: { kind: holder, isRepaired: true, error } };
}

/** What the service has no more: as this process last saw it, without what is off above what is on. */
function beneathLost(context: Context, webhook: AccountWebhook, pile: Pile): Pile {
	const known = webhook.lastBeneath();
	const found = webhook.beneath(pile);
	const all = [...found, ...(known ?? []).filter(({ url }) => !found.some((f) => f.url === url))];
	if (all.length === 0 && !known && recall(context).displaces) {
		context.logger.warn(
			'The webhook of the account was lost, and with it what this workflow had displaced: unpublishing will switch it off. Set it there again then.',
		);
	}
	const firstOn = all.findIndex(({ enabled }) => enabled);
	return all.slice(Math.max(firstOn, 0));
}

function toProblem(node: INode, error: unknown): Problem {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** The end of a message is what the service said, or what it shows: another one each time. */
function kindOf(error: Problem): string {
	const status = error instanceof NodeApiError ? error.httpCode : '';
	return `${status} ${error.message.split(/[:(,]/, 1)[0]}`;
}
