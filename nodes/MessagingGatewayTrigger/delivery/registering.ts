import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { identityOf } from '../token';

type Context = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** The registrations that this process is about to make. */
const underWay = new Set<string>();

const keyOf = (context: Context, isTest: boolean) => `${identityOf(context)} ${isTest}`;

/**
 * Does something during which deliveries start nothing: a service may look whether a URL answers
 * before it takes it, and the workflow is not published yet.
 */
export async function whileRegistering<T>(
	context: IHookFunctions | ITriggerFunctions,
	isTest: boolean,
	action: () => Promise<T>,
): Promise<T> {
	const key = keyOf(context, isTest);
	underWay.add(key);
	try {
		return await action();
	} finally {
		underWay.delete(key);
	}
}

export const isRegistering = (context: IWebhookFunctions): boolean =>
	underWay.has(keyOf(context, context.getMode() === 'manual'));
