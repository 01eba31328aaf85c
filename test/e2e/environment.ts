import { standingClock } from '../../tools/host';

/**
 * By default, n8n 2.40 makes a sandbox for expressions for each delivery, needed or not: 500 refused ones
 * took two minutes on a busy machine.
 */
export const lazyExpressions = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Lets the clock of such an n8n go. */
export const runningClock = { NODE_OPTIONS: '' };

/** Of an n8n for tests: its clock stands still, and n8n 1.x keeps files as later ones do. */
export const testEnvironment = {
	...standingClock,
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	...lazyExpressions,
};
