import { SEEDS } from '../seeds';
import type { Handlers } from './handler';

// Both success bodies are not shown (§4.9, §4.10): these are the sandbox's. So is the rule that any
// `{instance}` means the one instance of the token. A disconnected instance never gets here.
export const instanceHandlers: Handlers<'logOutInstance' | 'getConnectionState'> = {
	logOutInstance: ({ state }) => {
		state.instance.connected = false;
		return { success: true, message: 'Instância desconectada com sucesso.' };
	},

	getConnectionState: () => ({ instance: { instanceName: SEEDS.instanceName, state: 'open' } }),
};
