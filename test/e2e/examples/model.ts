import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string } }>;
}

/**
 * A stand-in for a language model, as OpenAI's API has it: calls the first tool that it is given, once,
 * and then says what the tool said.
 *
 * @param wish what it calls the tool with
 */
export async function startModel(wish: object) {
	const app = Fastify();
	app.post('/v1/chat/completions', (request) => {
		const { messages, tools } = request.body as ChatRequest;
		const said = messages.filter(({ role }) => role === 'tool').at(-1);
		const call = {
			id: 'call-1',
			type: 'function',
			function: {
				name: tools?.[0]?.function.name,
				arguments: JSON.stringify({ toolParameters: wish, hitlParameters: {} }),
			},
		};
		const message = said
			? { role: 'assistant', content: `The tool said: ${JSON.stringify(said.content)}` }
			: { role: 'assistant', content: null, tool_calls: [call] };
		return {
			id: 'completion-1',
			object: 'chat.completion',
			created: 0,
			model: 'stub',
			choices: [{ index: 0, message, finish_reason: said ? 'stop' : 'tool_calls' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	return {
		credential: { apiKey: 'sk-stub', url: `http://127.0.0.1:${port}/v1` },
		close: async () => await app.close(),
	};
}
