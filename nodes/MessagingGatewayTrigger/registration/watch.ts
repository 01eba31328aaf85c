import { randomInt } from 'crypto';
import { NodeApiError, sleep, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';

import type { Webhook } from '../../gateway/endpoints/webhook';
import { asNodeError, type NodeError } from '../../gateway/errors';
import { remember } from '../../gateway/memory';
import { tokenOf } from '../../gateway/triggerToken';
import { withHint } from '../../text/sentence';
import { copied, errorOf, otherAccount, repairedAgain, sharedUnreadably, takenBy } from '../errors';
import { identityOf, recall } from '../token';
import { hostOf } from '../url';
import { AccountWebhook, type Context, type Purpose } from './accountWebhook';
import {
	findReachable,
	isSealed,
	isSharing,
	mayTakeBack,
	toGiveBack,
	type ConflictPolicy,
	type Link,
} from './ownership';

/**
 * Checks the registration of a published workflow every three minutes. What is still wrong at the
 * second check, and what had to be repaired in three checks in a row, is reported once: as a failed
 * execution, which starts the error workflow if there is one.
 *
 * Does not check at n8n's start: because this function exists, n8n calls `create` then.
 */
export async function watch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const failures = streak(2);
	const repairs = streak(3);
	let isClosed = false;

	const check = async () => {
		const { address } = recall(context);
		if (isClosed || !address) return; // publishing is under way, or has failed
		const { problem, testUntil } = await keepRegistered(context, address, 'check', () => !isClosed);
		if (!problem) repairs.end();
		if (!problem || problem.isRepaired) failures.end();
		if (problem && (problem.isRepaired ? repairs : failures).isToReport(problem)) {
			report(context, problem.error);
		}
		return testUntil;
	};
	// At a random second, so that not all triggers ask the service at once.
	context.helpers.registerCron({ expression: `${randomInt(60)} */3 * * * *` }, async () => {
		const testUntil = await check();
		if (testUntil === undefined) return;
		await sleep(Math.max(0, testUntil - Date.now()));
		await check(); // in case nobody has ended the test
	});

	return { closeFunction: async () => void (isClosed = true) };
}

/** Counts checks in a row. From the `least`th on, each kind of problem is to be reported once. */
function streak(least: number) {
	let checks = 0;
	const reported = new Set<string>();
	return {
		end() {
			checks = 0;
			reported.clear();
		},
		isToReport({ kind }: Problem): boolean {
			if (++checks < least || reported.has(kind)) return false;
			reported.add(kind);
			return true;
		},
	};
}

/** n8n before 2.7 cannot save a failed execution. (Its `emitError` would restart the trigger.) */
function report(context: ITriggerFunctions, error: NodeError): void {
	if (typeof context.saveFailedExecution === 'function') context.saveFailedExecution(error);
	else context.logger.error(withHint(error));
}

interface Problem {
	/** The same for problems that only differ in a detail, such as a host. */
	kind: string;
	isRepaired: boolean;
	error: NodeError;
}

/** `testUntil`: when the test ends that has the webhook, in ms since 1970. */
type Check = { problem?: Problem; testUntil?: number };

/** The last check of each node. */
const checks = remember<Promise<Check>>(1_000);

/** Nodes whose webhook has been given back. n8n may end their watch only after that. */
const stopped = remember<true>(1_000);

/** Waits for a check under way, which could otherwise register what nobody would give back. */
export async function stopWatching(context: Context): Promise<void> {
	stopped.set(identityOf(context), true);
	await checks.get(identityOf(context));
}

export const resumeWatching = (context: Context) => stopped.delete(identityOf(context));

/**
 * Registers again if the service has lost the webhook, or if somebody took it and the settings allow
 * to take it back. Never throws: logs and returns what is wrong.
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
	const chain = await webhook.read();
	const [current] = chain;
	const holder = current?.holder ?? 'nobody';
	if (holder === 'us') webhook.remember(toGiveBack(chain));
	if (holder === 'test') return { testUntil: tokenOf(current!.url)?.until };
	const own = findReachable(chain);
	if (own?.holder === 'us' || !isWanted()) return {};
	if (own && own !== current) {
		// Its API key or address has changed while other triggers passed deliveries on to it.
		await webhook.renew(chain, own);
		return {};
	}

	const isSameKey = [webhook.digest, undefined].includes(recall(context).digest);
	const refusal = refuse(context, address, current, isSameKey);
	if (refusal) return { problem: { kind: holder, isRepaired: false, error: refusal } };

	const isLost = holder === 'nobody' && isSameKey;
	const displaced = isLost ? withLost(context, webhook, chain) : toGiveBack(chain);
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

/** Why the webhook must not be changed; undefined if this node may register again. */
function refuse(
	context: Context,
	address: string,
	current: Link | undefined,
	isSameKey: boolean,
): NodeError | undefined {
	if (!current) return undefined;
	const { url, holder, isOwn } = current;
	// Another account's webhook may only be set if there is none, or if it is our own URL.
	if (!isSameKey && !isOwn) return errorOf(context, otherAccount(url));
	if (holder === 'copy') return errorOf(context, copied(url, address));
	const isShared = holder === 'trigger' && isSharing(current);
	if (isShared && isSealed(current)) return errorOf(context, sharedUnreadably(url));
	const policy = context.getNodeParameter('conflict') as ConflictPolicy;
	return mayTakeBack(current, policy) ? undefined : errorOf(context, takenBy(holder, url, policy));
}

/**
 * What to give back, including what the service has lost but this process remembers. What is off at
 * the top is left out.
 */
function withLost(context: Context, webhook: AccountWebhook, chain: Link[]): Webhook[] {
	const known = webhook.lastDisplaced();
	const displaced = toGiveBack(chain);
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

/** Leaves out the end of a message, which quotes the service and differs each time. */
function kindOf(error: NodeError): string {
	const status = error instanceof NodeApiError ? error.httpCode : '';
	return `${status} ${error.message.split(/[:(,]/, 1)[0]}`;
}
