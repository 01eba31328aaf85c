import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { credentialType } from '../../shared/client';
import { parseToken } from '../../shared/webhookUrl';
import { newestDigests, recall } from '../secret/cache';
import { digestOf, identityOf, isSame, secretFor } from '../secret/derive';

/**
 * Whether a delivery brings the secret of this node; of this test, where n8n listens for one.
 *
 * The credential is read only where the secret is not the one seen last, in the process or in n8n's
 * static data. That one also holds when the API key has changed, until the new URL is in use.
 *
 * @throws when n8n cannot read the credential
 */
export async function isGenuine(context: IWebhookFunctions, given: unknown): Promise<boolean> {
	const token = parseToken(given);
	const isTest = context.getMode() === 'manual';
	if (!token || (token.until !== undefined) !== isTest) return false;

	const identity = identityOf(context);
	const digest = digestOf(token.secret);
	const known = isTest ? undefined : (newestDigests.get(identity) ?? recall(context).digest);
	if (isSame(digest, known)) return true;

	const { apiKey } = await readCredential(context, `${identity} ${context.getMode()}`);
	const isRight = isSame(digest, digestOf(secretFor(apiKey, identity, token.until)));
	if (isRight && !isTest) newestDigests.set(identity, digest);
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
