import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from './authentication';
import { now } from './clock';
import type { Controls } from './controls';
import { EXAMPLE_ID, loadDocument, operationsOf, type Operation } from './document';
import { notFound, operationalError, Refusal, validationError } from './errors';
import { applyFault, type Answer, type Outcome } from './faults';
import { handlers, type Call, type Handler } from './handlers';
import { destinationOf, dueTimeOf, fieldsOf, textOf } from './records';
import { receive } from './reception';
import { reset, sendAnswer } from './sending';
import type {
	AcceptedMessage,
	Names,
	OperationId,
	RefusedMessage,
	ValidationDetail,
} from './types';
import { createValidator } from './validation';

declare module 'fastify' {
	interface FastifyRequest {
		receivedAt: number;
	}
}

const notFoundPage =
	'<h1>Not Found</h1><p>This is the sandbox. See <a href="/_sandbox/messages">its messages</a>.</p>';

/** The operations of the OpenAPI document. Anything else gets 404, in a browser a page. */
export function registerGateway(
	app: FastifyInstance,
	names: Names,
	controls: Controls,
	keepAnswers: boolean,
): void {
	const document = loadDocument(names);
	const operations = operationsOf(document);
	const validate = createValidator(document, operations);

	// Bodies are read as bytes, so that one that is not JSON is recorded and refused like any other.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	app.decorateRequest('receivedAt', 0);
	app.addHook('onRequest', async (request) => {
		request.receivedAt = now();
	});

	for (const operation of operations) {
		app.route({
			method: operation.method,
			url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
			handler: (request, reply) => serve(request, reply, operation),
		});
	}
	app.setNotFoundHandler((request, reply) => {
		const isBrowser = request.method === 'GET' && request.headers.accept?.includes('text/html');
		return isBrowser
			? reply.status(404).type('text/html').send(notFoundPage)
			: serve(request, reply);
	});

	async function serve(request: FastifyRequest, reply: FastifyReply, operation?: Operation) {
		const { state, records, faults, signal } = controls.session;
		const { record, body, refusals } = receive(request, operation, validate);
		const sender = request.headers['x-sent-by']?.toString();
		records.addRequest(record);

		const fault = faults.take(record.operationId, body);
		if (fault?.delayMs) await sleep(fault.delayMs, undefined, { signal }).catch(() => undefined);
		// The sandbox was reset meanwhile.
		if (signal.aborted) return reset(request, reply);

		let accepted: AcceptedMessage | undefined;
		const outcome = applyFault(fault, perform);
		record.answeredAt = now();
		keepOutcome();
		if (outcome === 'reset') return reset(request, reply);
		record.status = outcome.status;
		if (keepAnswers) record.answer = structuredClone(outcome.body);
		return sendAnswer(reply, outcome);

		/** Keeps the outcome for the page of messages. */
		function keepOutcome(): void {
			if (accepted) accepted.answerLost = outcome === 'reset';
			else if (operation?.isSend)
				records.refused.push({ ...messageOf(operation), reason: reasonOf(outcome) });
		}

		function messageOf({ id, usesInstance }: Operation): Omit<RefusedMessage, 'reason'> {
			const channel = usesInstance ? 'chatApp' : 'sms';
			const message = { to: destinationOf(body) ?? '', text: textOf(body), body: record.body };
			return { channel, operationId: id, ...message, sender, at: now() };
		}

		function perform(): Answer {
			try {
				if (!operation) throw notFound();
				authenticate(operation, request.headers, state);
				if (refusals.length > 0) throw validationError(refusals);
				return { status: 200, body: operation.isSend ? accept(operation) : handle(operation) };
			} catch (error) {
				const refusal = error instanceof Refusal ? error : operationalError('internal');
				if (refusal !== error) console.error(error);
				return { status: refusal.status, body: refusal.body };
			}
		}

		/** Adds a message to its campaign and to the ledger. */
		function accept(operation: Operation): unknown {
			const message = messageOf(operation);
			const dueAt = dueTimeOf(body, names);
			const given = state.accept(message.channel, message.to, dueAt);
			accepted = { ...message, ...given, dueAt };
			records.addAccepted(accepted);
			const answer = JSON.stringify(operation.answer).replaceAll(EXAMPLE_ID, given.messageId);
			return JSON.parse(answer);
		}

		function handle<Id extends OperationId>({ id, answer }: Operation & { id: Id }) {
			const handler: Handler<Id> | undefined = handlers[id];
			const own = handler?.({
				path: request.params as Call<Id>['path'],
				query: request.query as Call<Id>['query'],
				body: body as Call<Id>['body'], // validated against the same schema
				names,
				state,
			});
			return own ?? answer;
		}
	}
}

/** Why a message was not accepted. */
function reasonOf(outcome: Outcome): string {
	if (outcome === 'reset') return 'The connection was closed.';
	const { status, body } = outcome;
	const { message, detail } = fieldsOf(body);
	if (typeof message === 'string') return message;
	if (!Array.isArray(detail)) return `HTTP ${status}`;
	return (detail as ValidationDetail[])
		.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
		.join('; ');
}
