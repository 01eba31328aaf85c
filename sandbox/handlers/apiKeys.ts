import { validationError } from '../errors';
import type { Handlers } from './handler';

export const apiKeyHandlers: Handlers<'listApiKeys' | 'revokeApiKey'> = {
	listApiKeys: ({ state, query, names }) => {
		const status = query[names.keyStatusParameter];
		return state.apiKeys
			.filter((apiKey) => status === undefined || apiKey.status === status)
			.map(({ key, ...record }) => ({ ...record, masked_key: mask(key) }));
	},

	// The success body is not shown (§4.2): this one is the sandbox's.
	revokeApiKey: ({ state, path }) => {
		const apiKey = state.apiKeys.find(({ id }) => id === path.key_id);
		if (!apiKey)
			throw validationError([{ loc: ['path', 'key_id'], msg: 'unknown key', type: 'not_found' }]);
		apiKey.status = 'revoked';
		return { success: true, message: 'Chave revogada.' };
	},
};

const mask = (key: string) => '•'.repeat(key.length - 4) + key.slice(-4);
