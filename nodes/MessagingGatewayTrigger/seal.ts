import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

import { secretOf } from '../gateway/credential';

/** The keys of all triggers of one account and one n8n. */
export interface SealingKeys {
	/**
	 * Derived from the id of this n8n alone, so that triggers of one account with different API keys
	 * can give back what the other has displaced.
	 */
	n8n: Buffer;
	/** Derived from the API key alone: any n8n with that key has it, and nobody else. */
	account: Buffer;
}

export function sealingKeys(apiKey: unknown, instanceId: string): SealingKeys {
	const derive = (secret: string, use: string): Buffer =>
		Buffer.from(hkdfSync('sha256', secret, '', `messaging-gateway ${use}`, 32));
	return {
		n8n: derive(instanceId, 'displaced webhooks'),
		account: derive(secretOf(apiKey), 'shared webhooks'),
	};
}

/** Encrypts and authenticates a text: AES-256-GCM. @param label needed to open it */
export function seal(text: string, key: Buffer, label: string): string {
	const nonce = randomBytes(nonceLength);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
	const parts = [nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat(parts).toString('base64url');
}

/** Undefined if it was sealed with another key or another label, or changed since. */
export function unseal(sealed: string, key: Buffer, label: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	try {
		const nonce = bytes.subarray(0, nonceLength);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
			.setAAD(Buffer.from(label))
			.setAuthTag(bytes.subarray(-tagLength));
		const plain = decipher.update(bytes.subarray(nonceLength, -tagLength));
		return Buffer.concat([plain, decipher.final()]).toString();
	} catch {
		return undefined;
	}
}

const [nonceLength, tagLength] = [12, 16];
