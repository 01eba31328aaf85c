import { standingClock } from '../../tools/host';

/**
 * Of an n8n for tests: its clock stands still, n8n 1.x keeps files as later ones do, and it makes no
 * sandbox for expressions for each delivery, as n8n 2.40 does otherwise: 500 refused ones took two
 * minutes on a busy machine.
 */
export const testEnvironment = {
	...standingClock,
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
};
