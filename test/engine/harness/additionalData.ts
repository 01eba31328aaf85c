import './instance';
import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type {
	ICredentialsHelper,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

let executions = 0;

/** What n8n's server puts beside a workflow for n8n-core; only what a node can't reach is missing. */
export const buildAdditionalData = (
	credentialsHelper: ICredentialsHelper,
	mode: WorkflowExecuteMode,
	workflow: IWorkflowBase,
	instanceUrl: string,
): IWorkflowExecuteAdditionalData => ({
	credentialsHelper,
	currentNodeExecutionIndex: 0,
	executionId: String(++executions),
	workflowId: workflow.id,
	hooks: new ExecutionLifecycleHooks(mode, '1', workflow),
	externalSecretsProxy: Container.get(ExternalSecretsProxy),
	variables: {},
	instanceBaseUrl: `${instanceUrl}/`,
	restApiUrl: `${instanceUrl}/rest`,
	formBaseUrl: `${instanceUrl}/form`,
	formTestBaseUrl: `${instanceUrl}/form-test`,
	formWaitingBaseUrl: `${instanceUrl}/form-waiting`,
	webhookBaseUrl: `${instanceUrl}/webhook`,
	webhookTestBaseUrl: `${instanceUrl}/webhook-test`,
	webhookWaitingBaseUrl: `${instanceUrl}/webhook-waiting`,
	mcpBaseUrl: `${instanceUrl}/mcp`,
	mcpTestBaseUrl: `${instanceUrl}/mcp-test`,
	logAiEvent: () => {},
	executeWorkflow: notModelled,
	getRunExecutionData: notModelled,
	getRuntimeCredential: notModelled,
	startRunnerTask: notModelled,
});

async function notModelled(): Promise<never> {
	throw new Error('Not part of the engine harness');
}
