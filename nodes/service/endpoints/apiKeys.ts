import type { Account } from '../../account/account';
import type { GatewayRequest } from '../request';

/** Lists all keys, or those with a status (interface §4.1). */
export const listApiKeys = ({ keyStatusParameter }: Account, status = ''): GatewayRequest => ({
	method: 'GET',
	path: '/v1/apikeys',
	expected: 'list',
	...(status !== '' && { query: { [keyStatusParameter]: status } }),
});

/** Interface §4.2. */
export const revokeApiKey = (id: string): GatewayRequest => ({
	method: 'DELETE',
	path: `/v1/apikeys/${encodeURIComponent(id)}`,
	expected: 'notShown',
});
