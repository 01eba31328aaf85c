import { randomInt } from 'crypto';
import { NodeApiError, sleep, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';

import type { Webhook } from '../../gateway/endpoints/webhook';
import { asNodeError, type NodeError } from '../../gateway/errors';
import { remember } from '../../gateway/memory';
import { tokenOf } from '../../gateway/triggerToken';
import { withHint } from '../../text/sentence';
import { closed, copied, errorOf, otherAccount, repairedAgain, takenBy } from '../errors';
import { identityOf, recall } from '../token';
import { hostOf } from '../url';
import { AccountWebhook, type Context, type Purpose } from './accountWebhook';
import {
	displacedIn,
	isClosed,
	isSharing,
	mayTakeBack,
	reachedIn,
	type ConflictPolicy,
	type Found,
} from './ownership';

/**
 * Checks the registration of a published workflow every three minutes. What is still wrong at the
 * second check, and what had to be repaired in three checks in a row, is surfaced once: as a failed
 * execution, which starts the error workflow where there is one.
 *
 * At n8n's start there is no check here: n8n calls `create` then, because this function exists.
 */
export async function watch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const inVain = streak(2);
	const repairs = streak(3);
	let isClosed = false;

	const check = async () => {
		const { address } = recall(context);
		if (isClosed || !address) return; // publishing is under way, or has not succeeded
		const { problem, testUntil } = await keepRegistered(context, address, 'check', () => !isClosed);
		if (!problem) repairs.end();
		if (!problem || problem.isRepaired) inVain.end();
		if (problem && (problem.isRepaired ? repairs : inVain).isToSurface(problem)) {
			surface(context, problem.error);
		}
		return testUntil;
	};
	// At a second of its own, so that not all triggers ask the service at once.
	context.helpers.registerCron({ expression: `${randomInt(60)} */3 * * * *` }, async () => {
		const testUntil = await check();
		if (testUntil === undefined) return;
		await sleep(Math.max(0, testUntil - Date.now()));
		await check(); // nobody may have ended it
	});

	return { closeFunction: async () => void (isClosed = true) };
}

/** Counts checks in a row; from the given number on, each kind of problem is to surface once. */
function streak(least: number) {
	let checks = 0;
	const surfaced = new Set<string>();
	return {
		end() {
			checks = 0;
			surfaced.clear();
		},
		isToSurface({ kind }: Problem): boolean {
			if (++checks < least || surfaced.has(kind)) return false;
			surfaced.add(kind);
			return true;
		},
	};
}

/** n8n before 2.7 cannot save a failed execution. (Its `emitError` would restart the trigger.) */
function surface(context: ITriggerFunctions, error: NodeError): void {
	if (typeof context.saveFailedExecution === 'function') context.saveFailedExecution(error);
	else context.logger.error(withHint(error));
}

/** What was not as it should be. */
interface Problem {
	/** The same for problems that only differ in what they name, such as a host. */
	kind: string;
	isRepaired: boolean;
	error: NodeError;
}

interface Check {
	problem?: Problem;
	/** When the test is over that has the webhook, in ms since 1970. */
	testUntil?: number;
}

/** The last check of each node. */
const checks = remember<Promise<Check>>(1_000);

/** Nodes whose webhook was given back: n8n may end their watch only after that. */
const stopped = remember<true>(1_000);

/** Waits for a check that is under way, so that it registers nothing that nobody would give back. */
export async function stopWatching(context: Context): Promise<void> {
	stopped.set(identityOf(context), true);
	await checks.get(identityOf(context));
}

export const goOnWatching = (context: Context) => stopped.delete(identityOf(context));

/**
 * Registers again what the service lost or, where that is wanted, somebody took. Never throws: it
 * logs what is wrong, and returns it.
 */
export async function keepRegistered(
	context: Context,
	address: string,
	purpose: Purpose,
	isOpen = () => true,
): Promise<Check> {
	const identity = identityOf(context);
	const isWanted = () => isOpen() && !stopped.has(identity);
	const check = repair(context, address, purpose, isWanted).catch((thrown: unknown): Check => {
		const error = asNodeError(context.getNode(), thrown);
		return { problem: { kind: kindOf(error), isRepaired: false, error } };
	});
	checks.set(identity, check);
	const { problem } = await check;
	if (problem?.isRepaired === false) context.logger.warn(problem.error.message);
	return await check;
}

async function repair(
	context: Context,
	address: string,
	purpose: Purpose,
	isWanted: () => boolean,
): Promise<Check> {
	const webhook = await AccountWebhook.open(context, address, purpose);
	webhook.requireReachable();
	const found = await webhook.read();
	const [current] = found;
	const holder = current?.holder ?? 'nobody';
	if (holder === 'us') webhook.remember(displacedIn(found));
	if (holder === 'test') return { testUntil: tokenOf(current!.url)?.until };
	const own = reachedIn(found);
	if (own?.holder === 'us' || !isWanted()) return {};
	if (own && own !== current) {
		// Its API key or its address has changed while others passed deliveries on to it.
		await webhook.renew(found, own);
		return {};
	}

	const isSameKey = [webhook.digest, undefined].includes(recall(context).digest);
	const refusal = refuse(context, address, current, isSameKey);
	if (refusal) return { problem: { kind: holder, isRepaired: false, error: refusal } };

	const isLost = holder === 'nobody' && isSameKey;
	const displaced = isLost ? lostWith(context, webhook, found) : displacedIn(found);
	await webhook.register(displaced);
	webhook.remember(displaced);
	context.logger.info(
		holder === 'foreign'
			? `Took the webhook of the account back from ${hostOf(current!.url)}`
			: 'Registered the webhook of the account again',
	);
	const error = errorOf(context, repairedAgain(holder, current?.url));
	return { problem: { kind: holder, isRepaired: true, error } };
}

/** Why the webhook is left as it is; undefined where it may be registered again. */
function refuse(
	context: Context,
	address: string,
	current: Found | undefined,
	isSameKey: boolean,
): NodeError | undefined {
	if (!current) return undefined;
	const { url, holder, isOwn } = current;
	// Only where nothing is, or our own URL, may another account's webhook be set.
	if (!isSameKey && !isOwn) return errorOf(context, otherAccount(url));
	if (holder === 'copy') return errorOf(context, copied(url, address));
	const isShared = holder === 'trigger' && isSharing(current);
	if (isShared && isClosed(current)) return errorOf(context, closed(url));
	const policy = context.getNodeParameter('conflict') as ConflictPolicy;
	return mayTakeBack(current, policy) ? undefined : errorOf(context, takenBy(holder, url, policy));
}

/** What the service has no more: as this process last saw it, without what is off above what is on. */
function lostWith(context: Context, webhook: AccountWebhook, found: Found[]): Webhook[] {
	const known = webhook.lastDisplaced();
	const displaced = displacedIn(found);
	const others = (known ?? []).filter(({ url }) => !displaced.some((each) => each.url === url));
	const all = [...displaced, ...others];
	if (all.length === 0 && !known && recall(context).displaces) {
		context.logger.warn(
			'The webhook of the account was lost, and with it the one that this workflow had displaced. Unpublishing will switch the webhook off: set it again in your messaging service then.',
		);
	}
	const firstOn = all.findIndex(({ enabled }) => enabled);
	return all.slice(Math.max(firstOn, 0));
}

/** The end of a message is what the service said, or what it shows: another one each time. */
function kindOf(error: NodeError): string {
	const status = error instanceof NodeApiError ? error.httpCode : '';
	return `${status} ${error.message.split(/[:(,]/, 1)[0]}`;
}
