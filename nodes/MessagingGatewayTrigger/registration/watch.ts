import { randomInt } from 'crypto';
import { sleep, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';

import { asNodeError, type NodeError } from '../../gateway/errors';
import { entryOf, inProcess } from '../../gateway/maps';
import type { Problem } from '../../gateway/node';
import { withHint } from '../../text/text';
import { nodeIdentityOf, staticData } from '../identity';
import { testLimitMs } from './holder';
import { findOptionsProblem, handleEvent } from './register';
import { openSelf, type RegistrationContext } from './self';

/** The number of checks in an hour. */
const checksPerHour = 20;

/**
 * Checks the registration of a published workflow every three minutes. Reports what is wrong in two checks
 * in a row, or in three if it could be repaired, and then once an hour: as a failed execution, which
 * starts the error workflow if there is one.
 *
 * Does not check at n8n's start: because this function exists, n8n calls `create` then.
 */
export async function watch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	/** The number of checks in a row that found something wrong, less an hour's with each report. */
	let badChecks = 0;
	let isClosed = false;
	const optionsProblem = findOptionsProblem(context);

	const check = async () => {
		const { address } = staticData.read(context);
		if (isClosed || !address) return; // publishing is under way, or has failed
		const { error, isRepaired, testUntil } = await keepRegistered(context, address, optionsProblem);
		badChecks = error ? badChecks + 1 : 0;
		if (error && badChecks >= (isRepaired ? 3 : 2)) {
			badChecks -= checksPerHour;
			// n8n before 2.7 cannot save a failed execution. (Its `emitError` would restart the trigger.)
			if (typeof context.saveFailedExecution === 'function') context.saveFailedExecution(error);
			else context.logger.error(withHint(error));
		}
		return testUntil;
	};
	// The second is random, so that not all triggers ask the service at once.
	context.helpers.registerCron({ expression: `${randomInt(60)} */3 * * * *` }, async () => {
		const testUntil = await check();
		if (testUntil === undefined) return;
		await sleep(Math.min(Math.max(0, testUntil - Date.now()), testLimitMs));
		await check(); // in case nobody has ended the test
	});

	watchedNodeOf(context).runCheck = check; // it does nothing once the watch is closed
	return { closeFunction: async () => void (isClosed = true) };
}

/** The result of a check: what was wrong, and whether it is repaired. */
interface Check {
	error?: NodeError;
	isRepaired?: boolean;
	/** When the test ends that has the webhook, in ms since 1970. */
	testUntil?: number;
}

interface WatchedNode {
	/** The last check. */
	check?: Promise<Check>;
	runCheck?: () => Promise<unknown>;
	/** The origin of its service, once it was checked. */
	serviceOrigin?: string;
	/** Whether nothing was decided since n8n's start, after which it may have another address. */
	isStarting?: boolean;
	/** Whether its webhook has been given back. n8n may end its watch only after that. */
	isStopped?: boolean;
}

/** The published nodes, by identity. */
const watchedNodes = inProcess.map<WatchedNode>(1_000);

const watchedNodeOf = (context: RegistrationContext): WatchedNode =>
	entryOf(watchedNodes, nodeIdentityOf(context), () => ({}));

/** Lets the triggers of this process check, once the webhook is free: one may have lost it. */
export async function checkAll(service: string): Promise<void> {
	for (const { serviceOrigin = service, runCheck } of [...watchedNodes.values()])
		if (serviceOrigin === service) await runCheck?.();
}

/** Waits for checks under way, which could otherwise register what nobody would give back. */
export async function stopWatching(context: RegistrationContext): Promise<void> {
	const node = watchedNodeOf(context);
	node.isStopped = true;
	await node.check;
}

export const resumeWatching = (context: RegistrationContext) =>
	(watchedNodeOf(context).isStopped = false);

/**
 * Registers again if the service has lost the webhook, or if somebody took it and the settings allow
 * to take it back; after the checks before, one of which may just register. Never throws: logs and
 * returns what is wrong.
 */
export async function keepRegistered(
	context: RegistrationContext,
	address: string,
	optionsProblem: Problem | undefined,
	isStart = false,
): Promise<Check> {
	const node = watchedNodeOf(context);
	node.isStarting ||= isStart;
	const check = async (): Promise<Check> => {
		if (node.isStopped) return {};
		const self = await openSelf(context, address);
		node.serviceOrigin = self.client.origin;
		const plan = await handleEvent(node.isStarting ? 'start' : 'check', self, optionsProblem);
		node.isStarting = false;
		if (plan.do === 'leave') return { testUntil: plan.until };
		const error = self.errorOf(plan.problem);
		if (plan.do === 'refuse') throw error;
		context.logger.info(error.message);
		return { error, isRepaired: true };
	};
	node.check = Promise.resolve(node.check)
		.then(check)
		.catch((thrown: unknown) => {
			const error = asNodeError(context.getNode(), thrown);
			context.logger.warn(withHint(error));
			return { error };
		});
	return await node.check;
}
