import type { Ended, Key, KnownClaim } from './keyStore';
import type { RunKeys } from './runKeys';

/**
 * The keys of items in a dry run. None is claimed: a key is what the store says, or belongs to an
 * earlier message of this run that would have been sent.
 */
export class DryRunKeys implements Pick<RunKeys, 'ask' | 'end'> {
	private readonly recipientByKey = new Map<string, string>();

	constructor(private readonly keys: Pick<RunKeys, 'ask'>) {}

	async ask(_: 'claim' | 'read', key: Key): Promise<'fresh' | KnownClaim> {
		const recipient = this.recipientByKey.get(key.key);
		if (recipient === undefined) return await this.keys.ask('read', key);
		return recipient === key.recipient ? 'accepted' : 'elsewhere';
	}

	end({ key, recipient, ending }: Ended): void {
		if (ending === 'accepted') this.recipientByKey.set(key, recipient);
	}
}
