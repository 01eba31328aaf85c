import type { IPollFunctions } from 'n8n-workflow';

/** What the parameters say. */
export interface Settings {
	channel: 'chatApp' | 'sms';
	/** As they were entered, or what an expression gave. */
	campaignIds: unknown;
	/** Likewise; nothing means all. */
	statuses: unknown;
	simplify: boolean;
}

export function readSettings(context: IPollFunctions): Settings {
	return {
		channel: context.getNodeParameter('channel', '') === 'sms' ? 'sms' : 'chatApp',
		campaignIds: context.getNodeParameter('campaignIds', ''),
		statuses: context.getNodeParameter('options.statuses', ''),
		simplify: context.getNodeParameter('simplify', true) !== false,
	};
}

/**
 * The entries of a list that was typed as one text, or that an expression gives as a list; each once,
 * in upper or lower case.
 *
 * @returns undefined where an entry is an object
 */
export function toList(value: unknown, separators: RegExp): string[] | undefined {
	const entries = [value].flat(Infinity).filter((entry) => entry !== undefined && entry !== null);
	if (entries.some((entry) => typeof entry === 'object')) return undefined;
	const texts = entries.flatMap((entry) => String(entry).split(separators));
	const named = texts.map((text) => text.trim()).filter((text) => text !== '');
	// Of entries with the same name the first one stays: a map keeps the last.
	const each = new Map(named.reverse().map((text) => [text.toLowerCase(), text]));
	return [...each.values()].reverse();
}
