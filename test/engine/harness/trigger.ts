import './instance';
import { Container } from '@n8n/di';
import {
	HookContext,
	LoadOptionsContext,
	ScheduledTaskManager,
	TriggerContext,
	TriggersAndPollers,
} from 'n8n-core';
import type {
	Cron,
	IHookFunctions,
	IHttpRequestOptions,
	INodeListSearchResult,
	ITriggerFunctions,
	IWebhookData,
	NodeParameterValueType,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { inInstance, prepare, type NodeOptions } from './workflow';

export interface ActivationOptions extends NodeOptions {
	/** Listening for a test event instead of publishing. */
	isTest?: boolean;
	/** Default `activate`, for a test `manual`; `init` is a restart. */
	activationMode?: WorkflowActivateMode;
	/** Is shown each request that the node makes. */
	onRequest?: (options: IHttpRequestOptions) => void | Promise<void>;
	/** As in n8n before 2.7, which has no `saveFailedExecution`. */
	cannotSaveFailedExecutions?: boolean;
}

/**
 * Calls one lifecycle method of a trigger's webhook. Throws what it throws; then static data is not
 * saved, as n8n doesn't either.
 */
export async function runHook(
	method: 'checkExists' | 'create' | 'delete',
	options: ActivationOptions,
) {
	const { isTest = false } = options;
	const activation = options.activationMode ?? (isTest ? 'manual' : 'activate');
	const mode = method === 'delete' ? 'internal' : isTest ? 'manual' : 'trigger';
	const { workflow, node, nodeType, additionalData, ...context } = await prepare(
		{ active: !isTest, ...options },
		mode,
	);
	const hook = new HookContext(
		workflow,
		node,
		additionalData,
		mode,
		method === 'delete' ? 'update' : activation,
		{ isTest, webhookDescription: nodeType.description.webhooks![0]! } as IWebhookData,
	);
	inInstance(hook, options);
	showRequests(hook, options);
	const result = await nodeType.webhookMethods!.default![method]!.call(hook);
	context.saveStaticData();
	return { result, logs: context.logs() };
}

function showRequests(
	{ helpers }: IHookFunctions | ITriggerFunctions,
	{ onRequest }: ActivationOptions,
): void {
	const { httpRequestWithAuthentication: request } = helpers;
	helpers.httpRequestWithAuthentication = async function (...args) {
		await onRequest?.(args[1]);
		return await request.apply(this, args);
	};
}

/**
 * Starts a node's `trigger()`, with n8n's own cron jobs. `tick` fires them all at once and waits for
 * what they do; `close` is what n8n does on unpublish and on stop.
 */
export async function runTrigger(options: ActivationOptions) {
	const { activationMode = 'activate', cannotSaveFailedExecutions = false } = options;
	const { workflow, additionalData, node, nodeType, ...context } = await prepare(
		{ active: true, ...options },
		'trigger',
	);
	const emittedErrors: Error[] = [];
	const failedExecutions: Error[] = [];
	const crons: Array<{ expression: string; onTick: (time: Date) => unknown }> = [];
	const manager = ScheduledTaskManager && Container.get(ScheduledTaskManager);
	const group = { type: 'workflow', id: workflow.id };

	const open: Parameters<TriggersAndPollers['runTriggerFunction']>[2] = (...args) => {
		const triggerContext = new TriggerContext(
			...args,
			() => {
				throw new Error('This node starts no execution by itself');
			},
			(error) => emittedErrors.push(error),
			(error) => failedExecutions.push(error),
			{
				registerCron({ expression, recurrence }: Cron, onTick) {
					const { timezone } = workflow;
					const task = { group, targetId: node.id, timezone, expression, recurrence };
					const isRegistered = manager.register(task, onTick);
					if (!isRegistered) throw new Error(`n8n has a job of this node at ${expression} already`);
					crons.push({ expression, onTick });
				},
			},
		);
		inInstance(triggerContext, options);
		showRequests(triggerContext, options);
		// An n8n-core that keeps its cron jobs to itself takes no others: here they only tick.
		if (!manager) {
			triggerContext.helpers.registerCron = (cron, onTick) => {
				crons.push({ expression: cron.expression, onTick });
			};
		}
		if (cannotSaveFailedExecutions) Reflect.deleteProperty(triggerContext, 'saveFailedExecution');
		return triggerContext;
	};
	const args = [additionalData, 'trigger', activationMode] as const;
	const response = TriggersAndPollers
		? await Container.get(TriggersAndPollers).runTriggerFunction(workflow, node, open, ...args)
		: await nodeType.trigger!.call(open(workflow, node, ...args));
	context.saveStaticData();

	return {
		/** What restarts the trigger in n8n. */
		emittedErrors,
		/** What n8n saves as a failed execution, and starts the error workflow with. */
		failedExecutions,
		crons: crons.map(({ expression }) => expression),
		logs: context.logs,
		async tick() {
			// n8n releases the evaluator of expressions once the trigger has started.
			workflow.expression.getParameterValue = (value) => {
				if (JSON.stringify(value ?? '').includes('"=')) throw new Error('No bridge acquired');
				return value as NodeParameterValueType;
			};
			await Promise.all(crons.map(async ({ onTick }) => await onTick(new Date())));
		},
		async close() {
			manager?.deregisterGroup(group);
			await response?.closeFunction?.();
		},
	};
}

/** Asks for the entries of a resource locator's list, as the editor does. */
export async function runListSearch(
	method: string,
	filter?: string,
	options: NodeOptions = {},
): Promise<INodeListSearchResult> {
	const { workflow, node, nodeType, additionalData } = await prepare(options, 'internal');
	additionalData.currentNodeParameters = node.parameters;
	const editor = new LoadOptionsContext(workflow, node, additionalData, '');
	return await nodeType.methods!.listSearch![method]!.call(editor, filter);
}
