import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from './authentication';
import { now } from './clock';
import type { Controls } from './controls';
import { loadDocument, operationsOf, type Operation } from './document';
import { notFound, operationalError, Refusal, validationError } from './errors';
import { applyFault, type Answer, type Outcome } from './faults';
import { handlers, type Call, type Handler } from './handlers';
import { destinationOf, fieldsOf, textOf } from './records';
import { receive } from './reception';
import { reset, send, sendHalf } from './sending';
import type { AcceptedMessage, Channel, Names, OperationId, ValidationDetail } from './types';
import { createValidator } from './validation';

declare module 'fastify' {
	interface FastifyRequest {
		receivedAt: number;
	}
}

const notFoundPage =
	'<h1>Not Found</h1><p>This is the sandbox. See <a href="/_sandbox/messages">its messages</a>.</p>';

/** Of the operations that send. */
const CHANNELS: Partial<Record<OperationId, Channel>> = {
	sendSms: 'sms',
	sendMedia: 'chatApp',
	sendAudio: 'chatApp',
};

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

		faults.open += 1;
		reply.raw.once('close', () => (faults.open -= 1));
		const fault = faults.take(record.operationId, body);
		if (fault?.delayMs) await sleep(fault.delayMs, undefined, { signal }).catch(() => undefined);
		// The sandbox was reset meanwhile.
		if (signal.aborted) return reset(request, reply);

		let accepted: AcceptedMessage | undefined;
		const outcome = applyFault(fault, perform);
		record.answeredAt = now();
		keepOutcome();
		if (outcome === 'reset') return reset(request, reply);
		record.status = outcome.answer.status;
		if (keepAnswers) record.answer = structuredClone(outcome.answer.body);
		return outcome.cut ? sendHalf(reply, outcome.answer) : send(reply, outcome.answer);

		/** For the page of messages. */
		function keepOutcome(): void {
			const channel = operation && CHANNELS[operation.id];
			if (accepted) accepted.answerLost = outcome === 'reset' || outcome.cut;
			else if (channel) {
				const { body } = record;
				const message = { to: destinationOf(body) ?? '', text: textOf(body), body, sender };
				const row = { channel, operationId: operation.id, ...message, at: now() };
				records.refused.push({ ...row, reason: reasonOf(outcome) });
			}
		}

		function perform(): Answer {
			try {
				if (!operation) throw notFound();
				authenticate(operation, request.headers, state);
				if (refusals.length > 0) throw validationError(refusals);
				return { status: 200, body: handle(operation.id) };
			} catch (error) {
				const refusal = error instanceof Refusal ? error : operationalError('internal');
				if (refusal !== error) console.error(error);
				return { status: refusal.status, body: refusal.body };
			}
		}

		function handle<Id extends OperationId>(id: Id) {
			const handler: Handler<Id> = handlers[id];
			return handler({
				path: request.params as Call<Id>['path'],
				query: request.query as Call<Id>['query'],
				body: body as Call<Id>['body'], // validated against the same schema
				names,
				state,
				accept: (channel, to, text, dueAt) => {
					const { messageId, campaignId } = state.accept(channel, to, dueAt);
					const row = { channel, operationId: id, to, text, body: record.body, sender };
					accepted = { ...row, messageId, campaignId, at: now(), dueAt };
					records.addAccepted(accepted);
					return messageId;
				},
			});
		}
	}
}

/** Why a message was not accepted. */
function reasonOf(outcome: Outcome): string {
	if (outcome === 'reset') return 'The connection was closed.';
	const { status, body } = outcome.answer;
	const { message, detail } = fieldsOf(body);
	if (typeof message === 'string') return message;
	if (!Array.isArray(detail)) return `HTTP ${status}`;
	return (detail as ValidationDetail[])
		.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
		.join('; ');
}
