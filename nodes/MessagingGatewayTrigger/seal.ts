import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

/** The keys of all triggers of one account and one n8n. */
export interface SealingKeys {
	/**
	 * Derived from the id of this n8n alone, so that triggers of one account with different API keys
	 * can give back what the other has displaced.
	 */
	n8n: Buffer;
	/** Derived from the API key alone: only an n8n with that key has it. */
	account: Buffer;
	/** Derived from both, for opening the registrations of earlier versions. */
	before: Buffer;
}

export function sealingKeys(apiKey: unknown, instanceId: string): SealingKeys {
	const derive = (secret: string, salt: string, use: string): Buffer =>
		Buffer.from(hkdfSync('sha256', secret, salt, use, 32));
	const key = String(apiKey ?? '').trim();
	return {
		n8n: derive(instanceId, '', 'messaging-gateway displaced webhooks v2'),
		account: derive(key, '', 'messaging-gateway shared webhooks v1'),
		before: derive(key, instanceId, 'messaging-gateway displaced webhooks v1'),
	};
}

/** Encrypts and authenticates a text. @param label needed to open it */
export const seal = (text: string, { n8n }: SealingKeys, label: string): string =>
	encrypt(Buffer.from(text), n8n, Buffer.from(label)).toString('base64url');

/**
 * The same for two readers: this n8n, and anybody with the API key. A key used once encrypts the text,
 * and each reader's key encrypts that key, bound to the encrypted text. So what opens with the
 * account's key was sealed by somebody who has the API key.
 */
export function sealForAccount(text: string, keys: SealingKeys, label: string): string {
	const once = randomBytes(keyLength);
	const body = encrypt(Buffer.from(text), once, Buffer.from(label));
	const wrapped = [keys.n8n, keys.account].map((key) => encrypt(once, key, body));
	return Buffer.concat([...wrapped, body]).toString('base64url');
}

/** Undefined if it was sealed with other keys or another label, or changed since. */
export function unseal(
	sealed: string,
	{ n8n, account, before }: Partial<SealingKeys>,
	label: string,
): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	const body = bytes.subarray(2 * wrappedLength);
	const onceFor = (key: Buffer | undefined, place: number) =>
		decrypt(bytes.subarray(place * wrappedLength, (place + 1) * wrappedLength), key, body);
	const aad = Buffer.from(label);
	const opened =
		decrypt(bytes, n8n, aad) ??
		decrypt(bytes, before, aad) ??
		decrypt(body, onceFor(n8n, 0) ?? onceFor(account, 1), aad);
	return opened?.toString();
}

const [keyLength, nonceLength, tagLength] = [32, 12, 16];
const wrappedLength = nonceLength + keyLength + tagLength;

/** AES-256-GCM: nonce, ciphertext, tag. */
function encrypt(plain: Buffer, key: Buffer, label: Buffer): Buffer {
	const nonce = randomBytes(nonceLength);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(label);
	return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(bytes: Buffer, key: Buffer | undefined, label: Buffer): Buffer | undefined {
	if (!key) return undefined;
	try {
		const nonce = bytes.subarray(0, nonceLength);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
			.setAAD(label)
			.setAuthTag(bytes.subarray(-tagLength));
		const plain = decipher.update(bytes.subarray(nonceLength, -tagLength));
		return Buffer.concat([plain, decipher.final()]);
	} catch {
		return undefined;
	}
}
