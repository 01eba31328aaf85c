import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import { addressOf } from './url';

/** What a trigger keeps in n8n's static data: per node, across restarts, and in no execution. */
export interface Registration {
	/** As registered at the service, with its secret. */
	url: string;
	/** The account that it was registered with; see `Account`. */
	account: string;
	/** What was there before, to be given back. */
	borrowed?: { url: string; enabled: boolean };
}

type WithStaticData = Pick<FunctionsBase, 'getWorkflowStaticData'>;

export function loadRegistration(context: WithStaticData): Registration | undefined {
	const { registration } = context.getWorkflowStaticData('node');
	return registration as Registration | undefined;
}

export function saveRegistration(context: WithStaticData, registration: Registration): void {
	ended.delete(addressOf(registration.url));
	context.getWorkflowStaticData('node').registration = registration as unknown as IDataObject;
}

/** Forgets a registration that has ended, and remembers that the address leads nowhere now. */
export function clearRegistration(context: WithStaticData, address: string): void {
	ended.add(addressOf(address));
	delete context.getWorkflowStaticData('node').registration;
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

/**
 * Addresses of this n8n whose registration has ended. Who borrowed the webhook from one of them
 * before does not give it back. After a restart nothing is known: then a dead address may be given
 * back, which starts nothing.
 */
const ended = new Set<string>();

export const hasEnded = (url: string): boolean => ended.has(addressOf(url));
