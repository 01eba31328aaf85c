import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from './document';
import { operationalError } from './errors';
import { SEEDS } from './seeds';
import type { ServiceState } from './state';

/** Interface §5: an active API key; for the chat app also the token of a connected instance. */
export function authenticate(
	operation: Operation,
	headers: IncomingHttpHeaders,
	state: ServiceState,
): void {
	const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
	const apiKey = state.apiKeys.find((each) => each.key === key && each.status === 'active');
	if (!apiKey) throw operationalError('invalidToken');
	apiKey.last_used_at = new Date().toISOString();

	if (!operation.usesInstance) return;
	if (headers['x-instance-token'] !== SEEDS.instanceToken) throw operationalError('invalidToken');
	if (!state.instance.connected) throw operationalError('instanceDisconnected');
}
