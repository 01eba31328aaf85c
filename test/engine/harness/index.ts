/**
 * Runs this package's nodes in n8n's own engine (n8n-core), with real HTTP and nothing mocked. What
 * n8n's server adds around the engine is rebuilt here from its sources: credentials, binary data
 * storage, the deduplication store, the webhook endpoint, executions that wait. Temporary files and
 * cron jobs are removed when the test file ends.
 */
export { deduplication } from './deduplication';
export {
	retryNode,
	runNode,
	startNode,
	storeBinary,
	type Execution,
	type NodeRun,
	type RunOptions,
} from './execute';
export { startPolling, type Polling } from './poll';
export { runHook, runListSearch, runTrigger, type ActivationOptions } from './trigger';
export { startWaiting, type Opened, type Waiting } from './waiting';
export {
	runWebhook,
	startWebhook,
	type Delivery,
	type WebhookOptions,
	type WebhookServer,
} from './webhook';
export type { NodeOptions } from './workflow';
