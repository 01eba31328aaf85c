import { sleep, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { randomInt } from 'crypto';

import { asNodeError, type NodeError, type Problem } from '../../n8n/errors';
import { withHint } from '../../text/sentences';
import { publicationOf } from '../publication';
import * as problems from './problems';
import { findOptionsProblem, handleEvent } from './register';
import { openSelf, type RegistrationContext } from './self';

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
	const optionsProblem = findOptionsProblem(context);

	const check = async () => {
		const { error, isRepaired, testUntil } = await keepRegistered(context, optionsProblem);
		badChecks = error ? badChecks + 1 : 0;
		if (error && badChecks >= (isRepaired ? 3 : 2)) {
			badChecks -= 20; // there are as many checks in an hour
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
		await sleep(testUntil - Date.now());
		await check(); // in case nobody has ended the test
	});
	return {}; // n8n itself ends the cron
}

interface Check {
	error?: NodeError;
	isRepaired?: boolean;
	/** When the test ends that has the webhook, in ms since 1970. */
	testUntil?: number;
}

/**
 * Registers again what is lost or out of date; after the checks before, one of which may just register.
 * Does nothing unless the node is published. Never throws: logs and returns what is wrong.
 */
export async function keepRegistered(
	context: RegistrationContext,
	optionsProblem?: Problem,
): Promise<Check> {
	const publication = publicationOf(context);
	const check = async (): Promise<Check> => {
		const { published } = publication;
		if (!published) return {};
		const self = await openSelf(context, published.address);
		const { view, isRegistered } = await handleEvent('check', self, optionsProblem);
		if (!isRegistered) return { testUntil: view.token?.until };
		const error = self.errorOf(problems.repaired(view));
		context.logger.info(error.message);
		return { error, isRepaired: true };
	};
	const done = Promise.resolve(publication.check)
		.then(check)
		.catch((thrown: unknown) => {
			const error = asNodeError(context.getNode(), thrown);
			context.logger.warn(withHint(error));
			return { error };
		});
	publication.check = done;
	return await done;
}
