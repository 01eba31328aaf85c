import type { IDataObject } from 'n8n-workflow';

import { objectList } from '../../gateway/answerBody';
import { idOfKey, isRevoked, listApiKeys } from '../../gateway/endpoints/apiKeys';
import type { Change, Problem, StatusEvent, StatusRecord } from '../statusEvent';

type Keys = {
	account: string;
	/** By id, as in the simplified output. */
	keys: Record<string, KnownKey>;
};

interface KnownKey extends IDataObject {
	state: string;
	/** The last poll did not find it. */
	isMissing?: boolean;
	/** It was reported as vanished. It stays known, so that nothing is reported twice. */
	isGone?: boolean;
}

/**
 * Interface §4.1 and §2.1: a key is identified by its `id`. It counts as added when it is new, as
 * revoked the first time its status says so, and as vanished when two polls in a row do not find it.
 */
export const apiKeyChanged: StatusEvent<Keys> = {
	value: 'apiKeyChanged',
	name: 'API Key Changed',
	description: 'When an API key is added to the account, is revoked, or vanishes from the list',
	fields: [],

	sources: (poll) => [{ key: 'apiKeys', name: 'API Keys', request: listApiKeys(poll) }],

	records(body) {
		const keys = objectList(body);
		if (keys.length === 0) return keysMissing;
		if (keys.some((key) => idOfKey(key) === '')) return idsMissing;
		return keys.map((key) => ({
			id: idOfKey(key),
			state: isRevoked(key) ? 'revoked' : 'active',
			fields: { ...pick(key, shown), id: idOfKey(key), masked_key: masked(key.masked_key) },
		}));
	},

	compare(before, records, { accountDigest: account }) {
		const known = new Map(Object.entries(before?.keys ?? {}));
		// Two accounts may use the same ids; but a key keeps its mask.
		const isKnown = ({ id, fields }: StatusRecord) =>
			known.has(id) && known.get(id)!.masked_key === fields.masked_key;
		const isSameAccount = before?.account === account || records.some(isKnown);
		if (!before || !isSameAccount) {
			const keys = Object.fromEntries(records.map((record) => [record.id, remembered(record)]));
			return { kept: { account, keys }, changes: [] };
		}

		const changes: Change[] = [];
		const keys = new Map<string, KnownKey>();
		for (const record of records) {
			const { id, state, fields } = record;
			const earlier = keys.get(id) ?? known.get(id);
			const from = earlier?.state ?? null;
			if (!earlier || earlier.isGone) changes.push({ from, to: 'added', fields });
			if (state === 'revoked' && from !== state) changes.push({ from, to: state, fields });
			// Once revoked, always revoked: a list may be out of date.
			keys.set(id, remembered(from === 'revoked' ? { ...record, state: from } : record));
		}
		for (const [id, key] of known) {
			if (keys.has(id)) continue;
			const isNews = key.isMissing && !key.isGone;
			if (isNews) changes.push({ from: key.state, to: 'vanished', fields: { id, ...key } });
			keys.set(id, { ...key, isMissing: true, ...(key.isMissing && { isGone: true }) });
		}
		return { kept: { account, keys: Object.fromEntries(keys) }, changes };
	},

	sample: ([record]) =>
		record && {
			from: null,
			to: record.state === 'revoked' ? 'revoked' : 'added',
			fields: record.fields,
		},

	output: ({ to, fields }, { simplify }) => ({
		change: to,
		...pick(fields, ['id', ...(simplify ? simplified : shown)]),
	}),
};

const simplified = ['name', 'channel', 'status', 'masked_key'];

/** All documented fields. Any other might be the key itself. */
const shown = [...simplified, 'created_at', 'last_used_at'];

const remembered = ({ state, fields }: StatusRecord): KnownKey => ({
	...pick(fields, simplified),
	state,
});

const pick = (fields: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));

const idsMissing: Problem = {
	message: 'The service returned API keys without their IDs',
	description:
		"Run 'API Key: Get Many' to see the answer of the service. Every key in it needs an 'id'.",
};

const keysMissing: Problem = {
	message: 'The service returned no API keys',
	description:
		"Run 'API Key: Get Many' to see its answer. It should list at least the API key of your credential.",
};

/** Masks a key that the service has not masked. */
function masked(key: unknown): string | undefined {
	if (typeof key !== 'string') return undefined;
	if (/[•●∙·*…]|\.{3}/.test(key)) return key;
	return `••••${key.length > 8 ? key.slice(-4) : ''}`;
}
