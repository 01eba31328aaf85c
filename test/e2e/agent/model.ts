import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import type { CredentialReference, HostClient } from '../../../tools/host';

/** A language model that does as it is told, behind the interface of OpenAI's. */
export interface StubModel {
	/** Ready for n8n's credential of OpenAI. */
	credential: { apiKey: string; url: string };
	/** What it was asked, oldest first. */
	asked: ChatRequest[];
	close(): Promise<void>;
}

export interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: object } }>;
	stream?: boolean;
}

/** The arguments of a call, or of several at once. */
export type Turn = object | object[];

/**
 * Starts a model that calls the first of its tools, in each turn with its arguments, and then says
 * what the tool has said last.
 *
 * @param turns asked for at each answer; rejects where the model is to fail
 */
export async function startModel(
	turns: (request: ChatRequest) => Turn[] | Promise<Turn[]>,
): Promise<StubModel> {
	const asked: ChatRequest[] = [];
	const app = Fastify();
	app.post('/v1/chat/completions', async ({ body }, reply) => {
		const request = body as ChatRequest;
		asked.push(request);
		const answer = completion(request, await turns(request));
		return request.stream ? reply.type('text/event-stream').send(asStream(answer)) : answer;
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	return {
		credential: { apiKey: 'sk-stub', url: `http://127.0.0.1:${port}/v1` },
		asked,
		close: async () => await app.close(),
	};
}

/** The same for the tests of a file, and n8n's credential for it. */
export function useModel(
	host: { client: HostClient },
	turns: Parameters<typeof startModel>[0],
): StubModel & { openAi: CredentialReference } {
	const model = {} as StubModel & { openAi: CredentialReference };
	beforeAll(async () => {
		Object.assign(model, await startModel(turns));
		model.openAi = await host.client.createCredential(model.credential, 'openAiApi');
	});
	beforeEach(() => void model.asked.splice(0));
	afterAll(async () => await model.close?.());
	return model;
}

/** Returns what the tools said to each call, as the model was told last. */
export function toolAnswers({ asked }: Pick<StubModel, 'asked'>): string[] {
	const { messages = [] } = asked.at(-1) ?? {};
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

function completion({ messages, tools = [] }: ChatRequest, turns: Turn[]) {
	const said = messages.filter(({ role }) => role === 'tool');
	const next = nextTurn(turns, said.length);
	const message = next
		? {
				role: 'assistant',
				content: null,
				tool_calls: next.map((given, index) => ({
					id: `call-${said.length + index + 1}`,
					type: 'function',
					function: { name: tools[0]!.function.name, arguments: JSON.stringify(given) },
				})),
			}
		: { role: 'assistant', content: `The tool said: ${JSON.stringify(said.at(-1)?.content)}` };
	return {
		id: 'completion-1',
		object: 'chat.completion',
		created: 0,
		model: 'stub',
		choices: [{ index: 0, message, finish_reason: next ? 'tool_calls' : 'stop' }] as const,
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** The answer in one piece, as agents before version 2 ask for it. */
function asStream({ choices: [choice], ...rest }: ReturnType<typeof completion>): string {
	const { message, finish_reason } = choice;
	const tool_calls = message.tool_calls?.map((call, index) => ({ ...call, index }));
	const choices = [{ index: 0, delta: { ...message, tool_calls }, finish_reason }];
	const chunk = { ...rest, object: 'chat.completion.chunk', choices };
	return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

/** n8n may leave out what became of some calls of a turn; the turn is over all the same. */
function nextTurn(turns: Turn[], answers: number): object[] | undefined {
	let before = 0;
	for (const turn of turns) {
		const calls = [turn].flat();
		if (before >= answers) return calls;
		before += calls.length;
	}
	return undefined;
}
