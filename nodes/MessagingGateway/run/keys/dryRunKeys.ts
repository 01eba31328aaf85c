import type { Fate } from '../job';
import type { Key, UsedKey } from './keyStore';
import type { RunKeys } from './runKeys';

/**
 * The keys of items in a dry run. None is claimed: a key is what the store says, or belongs to an
 * earlier message of this run that would have been sent.
 */
export class DryRunKeys implements Pick<RunKeys, 'read' | 'claim' | 'end'> {
	private readonly recipientByLane = new Map<string, string>();

	constructor(private readonly keys: Pick<RunKeys, 'read' | 'laneOf'>) {}

	async read(key: Key): Promise<'fresh' | UsedKey> {
		const recipient = this.recipientByLane.get(this.keys.laneOf(key));
		if (recipient === undefined) return await this.keys.read(key);
		return recipient === key.recipient ? 'accepted' : 'elsewhere';
	}

	async claim(key: Key): Promise<'fresh' | UsedKey> {
		return await this.read(key);
	}

	end(key: Key, fate: Fate): void {
		if (fate === 'notStarted' || fate.kind !== 'accepted') return;
		this.recipientByLane.set(this.keys.laneOf(key), key.recipient);
	}
}
