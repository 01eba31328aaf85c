import type { IDataObject } from 'n8n-workflow';

import { objectList } from '../../gateway/answerBody';
import { idOfKey, isRevoked, listApiKeys } from '../../gateway/endpoints/apiKeys';
import type { Change, Lack, StatusEvent, StatusRecord } from '../statusEvent';

type Keys = {
	account: string;
	/** By id, as they come out simplified. */
	keys: Record<string, KnownKey>;
};

interface KnownKey extends IDataObject {
	state: string;
	/** It was not there at the last poll. */
	isMissing?: boolean;
	/** That was told. It stays known, so that what was told of it is not told again. */
	isGone?: boolean;
}

/**
 * Interface §4.1 and §2.1: a key is known by its `id`. It was added when it was not there before,
 * revoked when its status says so, once, and it has vanished when two looks did not find it.
 */
export const apiKeyChanged: StatusEvent<Keys> = {
	value: 'apiKeyChanged',
	name: 'API Key Changed',
	description: 'When an API key is added to the account, is revoked, or vanishes from the list',
	fields: [],

	sources: (poll) => [{ key: 'apiKeys', name: 'API Keys', request: listApiKeys(poll) }],

	records(body) {
		const keys = objectList(body);
		if (keys.length === 0) return noKeys;
		if (keys.some((key) => idOfKey(key) === '')) return withoutIds;
		return keys.map((key) => ({
			id: idOfKey(key),
			state: isRevoked(key) ? 'revoked' : 'active',
			fields: { ...pick(key, shown), masked_key: masked(key.masked_key) },
		}));
	},

	compare(before, records, { accountDigest: account }) {
		const known = new Map(Object.entries(before?.keys ?? {}));
		// Accounts may count their keys alike; a key keeps its mask.
		const isKnown = ({ id, fields }: StatusRecord) =>
			known.has(id) && known.get(id)!.masked_key === fields.masked_key;
		const isSameAccount = before?.account === account || records.some(isKnown);
		if (!before || !isSameAccount) {
			const keys = Object.fromEntries(records.map((record) => [record.id, remembered(record)]));
			return { memory: { account, keys }, changes: [] };
		}

		const changes: Change[] = [];
		const keys = new Map<string, KnownKey>();
		for (const record of records) {
			const { id, state } = record;
			const earlier = keys.get(id) ?? known.get(id);
			const tell = (to: string) =>
				changes.push({ from: earlier?.state ?? null, to, fields: { id, ...record.fields } });
			if (!earlier || earlier.isGone) tell('added');
			if (state === 'revoked' && earlier?.state !== 'revoked') tell('revoked');
			// A key that was revoked stays so, whatever a list that is behind says.
			keys.set(id, {
				...remembered(record),
				...(earlier?.state === 'revoked' && { state: 'revoked' }),
			});
		}
		for (const [id, key] of known) {
			if (keys.has(id)) continue;
			const isNews = key.isMissing && !key.isGone;
			if (isNews) changes.push({ from: key.state, to: 'vanished', fields: { id, ...key } });
			keys.set(id, { ...key, isMissing: true, ...(key.isMissing && { isGone: true }) });
		}
		return { memory: { account, keys: Object.fromEntries(keys) }, changes };
	},

	sample: ([record]) =>
		record && {
			from: null,
			to: record.state === 'revoked' ? 'revoked' : 'added',
			fields: { id: record.id, ...record.fields },
		},

	output: ({ to, fields }, { simplify }) => ({
		change: to,
		...pick(fields, ['id', ...(simplify ? simplified : shown)]),
	}),
};

const simplified = ['name', 'channel', 'status', 'masked_key'];

/** All that the interface shows. Anything else might be the key itself. */
const shown = [...simplified, 'created_at', 'last_used_at'];

const remembered = ({ state, fields }: StatusRecord): KnownKey => ({
	...pick(fields, simplified),
	state,
});

const pick = (fields: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));

const withoutIds: Lack = {
	message: 'The service returned API keys without their IDs',
	description:
		"Run 'API Key: Get Many' to see the answer of the service. Every key in it needs an 'id'.",
};

/** It holds at least the key that it was asked for with. */
const noKeys: Lack = {
	message: 'The service returned no API keys',
	description:
		"Run 'API Key: Get Many' to see its answer. It should list at least the API key of your credential.",
};

/** A key that its service has not masked is masked here. */
function masked(key: unknown): string | undefined {
	if (typeof key !== 'string') return undefined;
	if (/[•●∙·*…]|\.{3}/.test(key)) return key;
	return `••••${key.length > 8 ? key.slice(-4) : ''}`;
}
