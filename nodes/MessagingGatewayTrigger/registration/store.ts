import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import { remember, rememberEnd } from './memory';
import { makeSecret } from './url';

/** A setting of the account's webhook (interface §2.8). */
export interface Webhook {
	url: string;
	enabled: boolean;
}

/** What a trigger keeps in n8n's static data: per node, across restarts, and in no execution. */
export interface Registration {
	/** As registered at the service, with its secret. */
	url: string;
	/** The account that it was registered with; see `Account`. */
	account: string;
	/** What was there before, the nearest first. The first that has not ended is given back. */
	borrowed: Webhook[];
}

type WithStaticData = Pick<FunctionsBase, 'getWorkflowStaticData'>;

export function loadRegistration(context: WithStaticData): Registration | undefined {
	const { registration } = context.getWorkflowStaticData('node');
	return registration as Registration | undefined;
}

/** n8n stores it after the webhook methods; what the watch saves lasts until n8n's next start. */
export function saveRegistration(context: WithStaticData, registration: Registration): void {
	remember(registration);
	context.getWorkflowStaticData('node').registration = registration as unknown as IDataObject;
}

/** Forgets a registration that has ended, and remembers that the address leads nowhere now. */
export function clearRegistration(context: WithStaticData, address: string): void {
	rememberEnd(address);
	delete context.getWorkflowStaticData('node').registration;
}

/**
 * The secret of a node, the same in all its publications: an execution that began under an earlier
 * one may write that one's static data back when it ends, and deliveries are checked against these.
 */
export function secretOfNode(context: WithStaticData): string {
	const data = context.getWorkflowStaticData('node');
	return (data.secret ??= makeSecret()) as string;
}

/**
 * Tentative is a test, from its start to its end, and a publication until it has succeeded: n8n calls
 * `delete` for what did not. In a test the static data is the test's own.
 */
export const isTentative = (context: WithStaticData): boolean =>
	context.getWorkflowStaticData('node').tentative === true;

export function setTentative(context: WithStaticData, tentative: boolean): void {
	const data = context.getWorkflowStaticData('node');
	if (tentative) data.tentative = true;
	else delete data.tentative;
}
