/** The action node: what it sends, outputs, throws and logs, and the keys that it keeps. */
import fc from 'fast-check';
import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { OPERATIONAL_ERRORS, type Fault } from '../../tools/sandbox';
import { parametersFor, sends, to } from '../../tools/shared/operations';
import { numbers, useGateway } from '../engine/action/support';
import { deduplication, retryNode, runListSearch, runNode, type NodeRun } from '../engine/harness';
import { fullName, nodeTypes } from '../engine/harness/types';
import { prepare } from '../engine/harness/workflow';
import { answerCases, HostileService } from '../fuzz/support/answerCases';
import { keyWorkflow } from '../fuzz/support/keyWorkflow';
import {
	parameterCases,
	runOf as givenOf,
	type ParameterCase,
} from '../fuzz/support/parameterCases';
import { apiKey, instanceToken, isSlow, scripts } from '../fuzz/support/hostileAnswers';
import { compare, runOf, type Copy } from './worlds';

const gateway = useGateway();
const service = new HostileService();
beforeAll(async () => await service.start());
afterAll(async () => await service.close());

const executionId = '1';
const onError = fc.constantFrom(...(['continueRegularOutput', 'stopWorkflow'] as const));
const timeoutFor = (all: Array<Parameters<typeof isSlow>[0]>) => (all.some(isSlow) ? 100 : 60_000);

/** Accounts, some with other settings. */
const credentials = fc.constantFrom<IDataObject>(
	...[{}, {}, { authentication: 'bearer', defaultCountryCode: 'BR' }, { baseUrl: 'x', apiKey: '' }],
	{ chatAppName: 'x', audioScheduleField: 'at', smsScheduleTimezone: 'America/Sao_Paulo' },
	{ campaignIdParameter: 'id', keyStatusParameter: 'state', instanceToken: '' },
);

compare(
	'answers',
	fc.record({ given: answerCases, onError }),
	async ({ given: { id, items: all, simplify, maxRetries, authentication }, ...rest }, play) => {
		const isSend = sends.some((send) => send === id);
		const items = numbers(isSend ? all.length : 1);
		service.cases = play.number;
		const { path } = service.open(
			all,
			items.map((item) => (isSend ? item.to : '')),
		);
		const run = await runNode({
			...rest,
			executionId,
			items,
			parameters: {
				...parametersFor(id),
				simplify,
				options: { maxRetries, timeout: timeoutFor(all.flat()) },
			},
			credential: { baseUrl: service.url + path, apiKey, instanceToken, authentication },
		});
		return { requests: service.received.sort(), run: runOf(run) };
	},
	{ share: 0.3 },
);

/** Leaves out short timeouts, since it is a matter of chance whether an answer comes in time. */
const hasTime = ({ fields: { 'options.timeout': timeout } }: ParameterCase) =>
	!timeout || !(Number(Object(timeout).value) < 5_000);

compare(
	'parameters',
	fc.record({ given: parameterCases.filter(hasTime), credential: credentials }),
	async ({ given, credential }) => {
		gateway.sandbox.reset();
		deduplication.reset();
		const run = await gateway.run(given.id, { ...givenOf(given), credential, executionId });
		return { requests: requestsOf(), run: runOf(run) };
	},
	{ share: 0.3 },
);

/** Sorted, since requests to different numbers come in any order. */
const requestsOf = () =>
	gateway.sandbox
		.requests()
		.map(({ method, path, query, headers, body, status }) => {
			return { method, path, query, headers, body, status };
		})
		.sort((one, other) => (JSON.stringify(one.body) < JSON.stringify(other.body) ? -1 : 1));

const lists = ['searchApiKeys', 'searchCampaigns', 'searchChatAppCampaigns'] as const;

compare(
	'lists and tests of credentials',
	fc.record({
		what: fc.constantFrom(...lists, 'testCredential'),
		answers: fc.array(
			scripts.filter((script) => !isSlow(script)), // the timeout is ten seconds here
			{ minLength: 1, maxLength: 2 },
		),
		filter: fc.constantFrom(undefined, '', 'a', 'sms', '%'),
		credential: credentials,
	}),
	async ({ what, answers, filter, credential: others }, { number }) => {
		service.cases = number;
		const { path } = service.open([answers], ['']);
		const credential = { baseUrl: service.url + path, apiKey, instanceToken, ...others } as never;
		const parameters = parametersFor('revokeApiKey');
		const options = { node: 'messagingGateway', parameters, credential };
		if (what !== 'testCredential') {
			const list = await runListSearch(what, filter, options).catch((error: Error) => ({ error }));
			return { requests: service.received, list };
		}
		const { workflow, node, additionalData } = await prepare(options, 'internal');
		const { helpers } = new LoadOptionsContext(workflow, node, additionalData, '');
		const { methods } = nodeTypes.getByName(fullName('messagingGateway')) as never as {
			methods: { credentialTest: { testCredential: (...args: unknown[]) => Promise<unknown> } };
		};
		const verdict = await methods.credentialTest.testCredential.call(
			{ helpers },
			{ id: '1', name: 'Account', type: 'messagingGatewayApi', data: credential },
		);
		return { requests: service.received, verdict };
	},
	{ share: 0.06 },
);

const faults = fc.constantFrom<Fault | undefined>(
	...[undefined, undefined, { status: 400 }, { status: 500 }, { reset: 'afterAccept' as const }],
	...[{ tooMany: true as const }, { truncate: true as const }],
	{ refuse: OPERATIONAL_ERRORS.instanceDisconnected.message },
);

/** Runs and retries of one node, each in one of two processes, with the keys of one store. */
compare(
	'keys',
	fc.record({
		id: fc.constantFrom(...sends),
		inWorkflow: fc.boolean(),
		steps: fc.array(
			fc.record({
				copy: fc.constantFrom<Copy>(0, 1),
				isRetry: fc.boolean(),
				items: fc.array(
					fc.record({ to: fc.constantFrom(to, '5511900000001'), key: fc.constantFrom('a', 'b') }),
					{ minLength: 1, maxLength: 3 },
				),
				fault: faults,
				onError,
			}),
			{ minLength: 2, maxLength: 4 },
		),
	}),
	async ({ id, inWorkflow, steps }, { use }) => {
		gateway.sandbox.reset();
		deduplication.reset();
		const keys = keyWorkflow();
		const calls: IDataObject[] = [];
		const subWorkflow = async (inputs: IDataObject[]) => {
			// Without their batches, which depend on timing.
			calls.push(...inputs.map((input) => ({ ...input, until: undefined })));
			return await keys.call(inputs);
		};
		const store = { deduplicationStore: 'workflow', deduplicationWorkflow: 'keys' };
		const runs: NodeRun[] = [];
		for (const { copy, isRetry, items, fault, ...rest } of steps) {
			use(copy);
			gateway.sandbox.clearFaults();
			if (fault) gateway.sandbox.fault({ times: 1, fault });
			// A failure stops what has not left yet, and how many have left by then is a matter of chance.
			const alone = rest.onError === 'stopWorkflow' ? items.slice(0, 1) : items;
			const options = {
				...rest,
				executionId,
				subWorkflow,
				parameters: {
					...parametersFor(id),
					options: {
						deduplicationKey: '={{ $json.key }}',
						maxRetries: 0,
						...(inWorkflow && store),
					},
				},
				credential: gateway.sandbox.credential as never,
			};
			const last = runs.at(-1);
			runs.push(
				isRetry && last?.status === 'error'
					? await (
							await retryNode(last, options)
						).finished
					: await runNode({ ...options, items: alone }),
			);
		}
		return {
			requests: requestsOf(),
			runs: runs.map(runOf),
			keys: keys.dump(),
			calls,
			rows: Reflect.get(deduplication, 'rows') as unknown,
		};
	},
	{ share: 0.09, worldCount: 4 },
);
