import { randomInt } from 'crypto';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, INode, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { openAccount } from './account';
import { toBorrow } from './borrowing';
import { holderOf, mayTakeBack, type ConflictPolicy } from './judge';
import { isReachable } from './reachable';
import { isTentative, loadRegistration, saveRegistration, type Registration } from './store';
import { accountError, displacedError, unreachableError } from './texts';
import { hostOf, registeredUrl, sameAddress, sameNode, secretOf } from './url';

type Problem = NodeApiError | NodeOperationError;

/**
 * Looks after the registration of a published workflow every three minutes. What is still wrong at
 * the second look is surfaced, once, as a failed execution, which starts the error workflow where
 * there is one. (`emitError` would restart the trigger each time.)
 *
 * At n8n's start there is no look here: n8n calls `create` then, because this function exists.
 */
export async function watch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	let looksInVain = 0;
	let isClosed = false;

	// At a second of its own, so that not all triggers ask the service at once.
	context.helpers.registerCron({ expression: `${randomInt(60)} */3 * * * *` }, async () => {
		const problem = await keepRegistered(context, { isWanted: () => !isClosed });
		looksInVain = problem ? looksInVain + 1 : 0;
		if (problem && looksInVain === 2) context.saveFailedExecution(problem);
	});

	return {
		closeFunction: async () => {
			isClosed = true;
		},
	};
}

/**
 * Registers again what the service lost or, where that is wanted, somebody took. Never throws: it
 * logs what is wrong, and returns it.
 */
export async function keepRegistered(
	context: IHookFunctions | ITriggerFunctions,
	{ address, isWanted = () => true }: { address?: string; isWanted?: () => boolean } = {},
): Promise<Problem | undefined> {
	const registration = loadRegistration(context);
	if (!registration || isTentative(context)) return undefined;
	try {
		await repair(context, registration, address ?? registration.url, isWanted);
		return undefined;
	} catch (error) {
		const problem = toProblem(context.getNode(), error);
		context.logger.warn(problem.message);
		return problem;
	}
}

async function repair(
	context: IHookFunctions | ITriggerFunctions,
	registration: Registration,
	address: string,
	isWanted: () => boolean,
): Promise<void> {
	const account = await openAccount(context);
	if (!isReachable(address, account.origin)) {
		throw unreachableError(context.getNode(), address, account.origin);
	}
	const hasMoved = !sameAddress(registration.url, address);
	const url = hasMoved ? registeredUrl(address, secretOf(registration.url)!) : registration.url;

	const current = await account.read();
	const holder = holderOf(current, registration.url);
	if ((holder === 'us' && !hasMoved) || holder === 'test' || !isWanted()) return;
	// Only where nothing is, or exactly our own URL, may another account's webhook be set.
	const isOurs = registration.account === account.id || current.url === registration.url;
	if (!isOurs && current.url !== null) throw accountError(context.getNode(), current.url);

	const policy = context.getNodeParameter('conflict') as ConflictPolicy;
	if (!mayTakeBack(holder, policy)) {
		throw displacedError(context.getNode(), holder, current.url!, policy);
	}
	const isOwn = (other: string) => sameNode(other, address, context.getNode().webhookId);
	const borrowed =
		current.url === null
			? registration.borrowed
			: toBorrow(current, { account: registration.account, earlier: registration, isOwn });
	saveRegistration(context, { ...registration, url, borrowed });
	await account.write({ url, enabled: true });
	context.logger.info(
		holder === 'foreign'
			? `Took the webhook of the account back from ${hostOf(current.url!)}`
			: 'Registered the webhook of the account again',
	);
}

function toProblem(node: INode, error: unknown): Problem {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}
