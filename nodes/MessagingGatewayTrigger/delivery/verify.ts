import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { credentialType } from '../../gateway/client';
import { inProcess } from '../../gateway/maps';
import { parseToken } from '../../gateway/triggerToken';
import { digestOf, identityOf, isSame, secretFor, staticData } from '../identity';

/**
 * Whether a delivery has the secret of this node, or of this test while n8n listens for one.
 *
 * Reads the credential only if the secret is not the one in n8n's static data. After the API key was
 * changed, that one stays valid until n8n stores the new one, as it publishes or starts: no delivery is
 * lost while the new URL is on its way.
 *
 * @throws when n8n cannot read the credential
 */
export async function isGenuine(context: IWebhookFunctions, given: unknown): Promise<boolean> {
	const token = parseToken(given);
	const isTest = context.getMode() === 'manual';
	if (!token || (token.until !== undefined) !== isTest) return false;
	if (token.until !== undefined && token.until <= Date.now()) return false; // of an earlier test

	const digest = digestOf(token.secret);
	if (!isTest && isSame(digest, staticData.read(context).digest)) return true;

	const { apiKey } = await readCredential(context);
	return isSame(digest, digestOf(secretFor(apiKey, identityOf(context), token.until)));
}

/** Reads under way, by node, so that many forged deliveries do not keep n8n busy. */
const reads = inProcess.map<Promise<ICredentialDataDecryptedObject>>(Infinity);

/** The credential of a node. @throws when n8n cannot read it */
async function readCredential(context: IWebhookFunctions): Promise<ICredentialDataDecryptedObject> {
	const node = `${identityOf(context)} ${context.getMode()}`;
	const read =
		reads.get(node) ?? context.getCredentials(credentialType).finally(() => reads.delete(node));
	reads.set(node, read);
	return await read;
}
