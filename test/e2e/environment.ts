import { standingClock } from '../../tools/host';

/**
 * Of an n8n for tests: its clock stands still, and it makes no sandbox for expressions for each
 * delivery, as n8n 2.40 does otherwise: 500 refused ones took two minutes on a busy machine.
 */
export const testEnvironment = { ...standingClock, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
