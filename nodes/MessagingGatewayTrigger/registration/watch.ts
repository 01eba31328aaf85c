import { randomInt } from 'crypto';
import { sleep, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';

import { withHint } from '../../text/sentence';
import { recall } from '../secret/cache';
import { keepRegistered, type Finding, type Problem } from './keep';

/**
 * Looks after the registration of a published workflow every three minutes. What is still wrong at
 * the second look, and what had to be repaired in three looks in a row, is surfaced once: as a failed
 * execution, which starts the error workflow where there is one.
 *
 * At n8n's start there is no look here: n8n calls `create` then, because this function exists.
 */
export async function watch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const inVain = streak(2);
	const repairs = streak(3);
	let isClosed = false;

	const look = async () => {
		const { address } = recall(context);
		if (isClosed || !address) return; // publishing is under way, or has not succeeded
		const { finding, testUntil } = await keepRegistered(context, address, 'look', () => !isClosed);
		if (!finding) repairs.end();
		if (!finding || finding.isRepaired) inVain.end();
		if (finding && (finding.isRepaired ? repairs : inVain).isToSurface(finding)) {
			surface(context, finding.error);
		}
		return testUntil;
	};
	// At a second of its own, so that not all triggers ask the service at once.
	context.helpers.registerCron({ expression: `${randomInt(60)} */3 * * * *` }, async () => {
		const testUntil = await look();
		if (testUntil === undefined) return;
		await sleep(Math.max(0, testUntil - Date.now()));
		await look(); // nobody may have ended it
	});

	return {
		closeFunction: async () => {
			isClosed = true;
		},
	};
}

/** Counts looks in a row; from the given number on, each kind of problem is to surface once. */
function streak(least: number) {
	let looks = 0;
	const surfaced = new Set<string>();
	return {
		end() {
			looks = 0;
			surfaced.clear();
		},
		isToSurface({ kind }: Finding): boolean {
			if (++looks < least || surfaced.has(kind)) return false;
			surfaced.add(kind);
			return true;
		},
	};
}

/** n8n before 2.7 cannot save a failed execution. (Its `emitError` would restart the trigger.) */
function surface(context: ITriggerFunctions, error: Problem): void {
	if (typeof context.saveFailedExecution === 'function') context.saveFailedExecution(error);
	else context.logger.error(withHint(error));
}
