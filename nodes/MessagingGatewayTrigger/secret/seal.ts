import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

const [nonceLength, tagLength] = [12, 16];

/** The key of all triggers of an account in one n8n: who has the API key alone cannot open a seal. */
export function sealingKey(apiKey: unknown, instanceId: string): Buffer {
	const key = String(apiKey ?? '').trim();
	return Buffer.from(
		hkdfSync('sha256', key, instanceId, 'messaging-gateway displaced webhooks v1', 32),
	);
}

/** Encrypts and authenticates a text (AES-256-GCM). @param label opens with this one only */
export function seal(text: string, key: Buffer, label: string): string {
	const nonce = randomBytes(nonceLength);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
	const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat(sealed).toString('base64url');
}

/** Undefined for what was sealed with another key or label, or changed since. */
export function unseal(sealed: string, key: Buffer, label: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	try {
		const nonce = bytes.subarray(0, nonceLength);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
			.setAAD(Buffer.from(label))
			.setAuthTag(bytes.subarray(-tagLength));
		const text = decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8');
		return text + decipher.final('utf8');
	} catch {
		return undefined;
	}
}
