import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { credentialType } from '../../gateway/client';
import { parseToken } from '../../gateway/triggerToken';
import { isKnown, learn } from '../secret/cache';
import { digestOf, identityOf, isSame, secretFor } from '../token';

/**
 * Whether a delivery brings the secret of this node; of this test, where n8n listens for one.
 *
 * The credential is read only where the secret is not the one seen last, in the process or in n8n's
 * static data. That one also holds when the API key has changed, until the new URL is in use, and a
 * minute longer: what the service has just sent to the old one is not to be lost.
 *
 * @throws when n8n cannot read the credential
 */
export async function isGenuine(context: IWebhookFunctions, given: unknown): Promise<boolean> {
	const token = parseToken(given);
	const isTest = context.getMode() === 'manual';
	if (!token || (token.until !== undefined) !== isTest) return false;
	if (token.until !== undefined && token.until <= Date.now()) return false; // of an earlier test

	const digest = digestOf(token.secret);
	if (!isTest && isKnown(context, digest)) return true;

	const identity = identityOf(context);
	const { apiKey } = await readCredential(context, `${identity} ${context.getMode()}`);
	const isRight = isSame(digest, digestOf(secretFor(apiKey, identity, token.until)));
	if (isRight && !isTest) learn(context, digest);
	return isRight;
}

const reads = new Map<string, Promise<ICredentialDataDecryptedObject>>();

/** One at a time for a node: many forged deliveries at once are not to keep n8n's database busy. */
async function readCredential(context: IWebhookFunctions, node: string) {
	const read = reads.get(node) ?? context.getCredentials(credentialType);
	reads.set(node, read);
	try {
		return await read;
	} finally {
		reads.delete(node);
	}
}
