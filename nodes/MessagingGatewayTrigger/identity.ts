import { createHmac, hash, timingSafeEqual } from 'crypto';
import type { FunctionsBase, IWorkflowMetadata } from 'n8n-workflow';

import { entryOf, inProcess } from '../gateway/maps';
import { secretOf } from '../gateway/redaction';

/** Identifies a node, in every process of n8n and wherever n8n moves to. */
export function nodeIdentityOf(context: FunctionsBase): string {
	const { id, webhookId = id } = context.getNode();
	return JSON.stringify([context.getInstanceId(), context.getWorkflow().id, webhookId]);
}

/**
 * Returns the secret of a node's webhook URL. It is derived, so it is stored nowhere and cannot be lost.
 *
 * @param until for a test: when it ends; so each test has a different secret
 * @returns 32 bytes as base64url
 */
export const secretFor = (apiKey: unknown, identity: string, until?: number): string =>
	createHmac('sha256', secretOf(apiKey))
		.update(`messaging-gateway webhook v1\n${until ?? 'production'}\n${identity}`)
		.digest('base64url');

/** Returns a digest that stands for a secret where others can read it. */
export const sha256Of = (secret: string): string => hash('sha256', secret, 'base64url');

/** Compares in constant time, so that the duration does not show how much of a guess is right. */
export function isSameDigest(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}

/**
 * The secrets whose URL is on its way to the service, of publications and tests. Deliveries start nothing
 * then: the workflow is not published yet, and a service may check whether a URL answers before it accepts
 * it.
 */
export const pendingSecrets = inProcess.map<true>(Infinity);

/** What this process knows of a node's publication. */
interface Publication {
	workflow: IWorkflowMetadata;
	/** n8n's address of the published webhook: a test gives the account's webhook back to it. */
	address?: string;
	/** Whether nothing was decided since n8n's start, after which it may have another address. */
	isStarting?: boolean;
	/** Whether it has ended. n8n may end its watch only after that. */
	isStopped?: boolean;
	/** The last check, which never throws. */
	check?: Promise<unknown>;
}

/** By the node's identity. */
export const publications = inProcess.map<Publication>(
	1_000,
	({ address }) => address !== undefined,
);

export const publicationOf = (context: FunctionsBase): Publication =>
	entryOf(publications, nodeIdentityOf(context), () => ({ workflow: context.getWorkflow() }));

/**
 * The registration of a published node, or of a test, in n8n's static data. Nothing depends on it: the
 * credential gives the secret, and the service has the registration. It saves reading the credential,
 * and after the API key was changed, it keeps the old URL working until the new one is registered.
 */
interface StoredRegistration {
	v: 1;
	/** n8n's address of the webhook, which n8n does not give to the watch. */
	address?: string;
	/** The digest of the secret registered last. */
	digest?: string;
	/** Whether this is a test that has begun to register, and so has to end that. */
	borrows?: boolean;
	/** A digest of the identity, because a copied workflow may bring the original's static data. */
	node: string;
}

/** The node's static data. n8n shows it to users, and may lose it or bring back an older copy. */
export const staticData = {
	read(context: FunctionsBase): Partial<StoredRegistration> {
		const stored = (context.getWorkflowStaticData('node').webhook ??
			{}) as Partial<StoredRegistration>;
		return stored.v === 1 && stored.node === identityDigestOf(context) ? stored : {};
	},

	add(context: FunctionsBase, update: Omit<StoredRegistration, 'v' | 'node'>): void {
		const entry = { ...staticData.read(context), ...update, v: 1, node: identityDigestOf(context) };
		context.getWorkflowStaticData('node').webhook = entry;
	},

	clear(context: FunctionsBase): void {
		delete context.getWorkflowStaticData('node').webhook;
	},
};

const identityDigestOf = (context: FunctionsBase): string =>
	sha256Of(nodeIdentityOf(context)).slice(0, 16);
