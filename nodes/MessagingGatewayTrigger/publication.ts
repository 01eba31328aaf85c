import type { IWorkflowMetadata, FunctionsBase } from 'n8n-workflow';

import { inProcess } from '../n8n/processState';
import { entryOf } from '../text/collections';
import { nodeIdentityOf } from './identity';

/** The registrations of a node, as far as this process knows them. */
interface Publication {
	workflow: IWorkflowMetadata;
	/** Where it is published: a test gives the account's webhook back to it. */
	published?: {
		/** n8n's address of the webhook. */
		address: string;
		/** Whether nothing was decided since n8n's start, after which it may have another address. */
		isStarting?: boolean;
	};
	/** The last check, which never throws. */
	check?: Promise<unknown>;
	/**
	 * The secret whose URL is on its way to the service, of a publication or a test. Deliveries start nothing
	 * then: a service may check whether a URL answers before it accepts it.
	 */
	pendingSecret?: string;
}

/** The publications in this process, by the node's identity. */
export const publications = inProcess.map<Publication>(
	1_000,
	({ published }) => published !== undefined,
);

export const publicationOf = (context: FunctionsBase): Publication =>
	entryOf(publications, nodeIdentityOf(context), () => ({ workflow: context.getWorkflow() }));
