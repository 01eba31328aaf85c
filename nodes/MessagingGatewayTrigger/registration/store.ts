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

/** In a test the static data is the test's own; nothing else tells `delete` that it ends one. */
export function markTest(context: WithStaticData): void {
	context.getWorkflowStaticData('node').isTest = true;
}

export const isMarkedAsTest = (context: WithStaticData): boolean =>
	context.getWorkflowStaticData('node').isTest === true;

/**
 * Addresses of this n8n whose registration has ended. Who borrowed the webhook from one of them
 * before does not give it back. After a restart nothing is known: then a dead address may be given
 * back, which starts nothing.
 */
const ended = new Set<string>();

export const hasEnded = (url: string): boolean => ended.has(addressOf(url));
