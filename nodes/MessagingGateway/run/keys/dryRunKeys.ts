import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../../gateway/agent';
import { kindOf, type Fate } from '../job';
import { nodeContext, runIndexOf } from '../nodeContext';
import type { Key, UsedKey } from './keyStore';
import type { RunKeys } from './runKeys';

/** The recipients of messages that would have been sent, by the key's lane. */
type Recipients = Record<string, string>;

/**
 * The keys of items in a dry run. None is claimed: a key is what the store says, or belongs to an
 * earlier message of this execution that would have been sent.
 */
export class DryRunKeys implements Pick<RunKeys, 'read' | 'claim' | 'end'> {
	/** Of this run of the node, and of all runs of the execution, by their indexes, as in a loop. */
	private opened: { own: Recipients; all: Record<number, Recipients> } | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly keys: Pick<RunKeys, 'read' | 'laneOf'>,
	) {}

	async read(key: Key): Promise<'fresh' | UsedKey> {
		const lane = this.keys.laneOf(key);
		const used = Object.values(this.open().all).find((recipients) => lane in recipients);
		if (!used) return await this.keys.read(key);
		return used[lane] === key.recipient ? 'accepted' : 'elsewhere';
	}

	async claim(key: Key): Promise<'fresh' | UsedKey> {
		return await this.read(key);
	}

	end(key: Key, fate: Fate): void {
		if (kindOf(fate) !== 'accepted') return;
		this.open().own[this.keys.laneOf(key)] = key.recipient;
	}

	private open() {
		return (this.opened ??= openRuns(this.context));
	}
}

function openRuns(context: IExecuteFunctions) {
	const run = runIndexOf(context);
	const all = (nodeContext(context).dryRunKeys ??= {}) as Record<number, Recipients>;
	// A tool's calls share an index; a node's next try of the same run begins afresh.
	const own = (isAgentTool(context.getNode()) && all[run]) || {};
	all[run] = own;
	return { own, all };
}
