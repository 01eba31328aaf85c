import type { FunctionsBase } from 'n8n-workflow';

import { digestOf, identityOf, type NodeContext } from './token';

/**
 * What n8n stores of a published node, or of a test. Nothing depends on it: the credential gives the
 * secret, and the service has the registration. It saves reading the credential, and after the API key
 * was changed, it keeps the old URL working until the new one is registered.
 */
interface Stored {
	/** n8n's address of the webhook, which n8n does not give to the watch. */
	address?: string;
	/** Of the secret registered last. */
	digest?: string;
	/** Whether there is something to give back. */
	displaces?: boolean;
	/** Whether this is a test that has begun to register, and so has to give the webhook back. */
	borrows?: boolean;
	/** Of the identity, because a copied workflow may bring the original's static data. */
	node?: string;
}

export type StoringContext = NodeContext & Pick<FunctionsBase, 'getWorkflowStaticData'>;

/** n8n's static data of the node, which n8n shows to users, and may lose or replace with an older copy. */
export const staticData = {
	read(context: StoringContext): Stored {
		const stored = (context.getWorkflowStaticData('node').webhook ?? {}) as Stored;
		return stored.node === nodeOf(context) ? stored : {};
	},

	add(context: StoringContext, news: Omit<Stored, 'node'>): void {
		const all = { ...staticData.read(context), ...news, node: nodeOf(context) };
		context.getWorkflowStaticData('node').webhook = all;
	},

	clear(context: StoringContext): void {
		delete context.getWorkflowStaticData('node').webhook;
	},
};

const nodeOf = (context: NodeContext): string => digestOf(identityOf(context)).slice(0, 16);
