import type { Ended, Key, KnownClaim } from './keyStore';
import type { RunKeys } from './runKeys';

/**
 * The keys of items that are only tried. None is claimed; a key is what the store knows of it, or was
 * given to a message of this run that would have been sent.
 */
export class TriedKeys implements Pick<RunKeys, 'read' | 'claim' | 'end'> {
	/** Recipients, by key. */
	private readonly accepted = new Map<string, string>();

	constructor(private readonly keys: Pick<RunKeys, 'read'>) {}

	async claim(key: Key): Promise<'fresh' | KnownClaim> {
		return await this.read(key);
	}

	async read(key: Key): Promise<'fresh' | KnownClaim> {
		const recipient = this.accepted.get(key.key);
		if (recipient === undefined) return await this.keys.read(key);
		return recipient === key.recipient ? 'accepted' : 'elsewhere';
	}

	end({ key, recipient, ending }: Ended): void {
		if (ending === 'accepted') this.accepted.set(key, recipient);
	}
}
