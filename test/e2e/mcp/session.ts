import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface Request {
	method: string;
	params?: object;
}

/** What a tool has said. */
export interface Said {
	text: string;
	isError: boolean;
}

/** What an AI agent does with the tools of an MCP server, through the official client library. */
export class McpSession {
	private constructor(
		private readonly client: Client,
		private readonly onExchange: (request: Request, answer: object) => void,
	) {}

	/** @throws Error where the server refuses the token */
	static async connect(
		url: string,
		token: string,
		onExchange: (request: Request, answer: object) => void = () => {},
	): Promise<McpSession> {
		const client = new Client({ name: 'agent', version: '1.0.0' });
		const headers = { authorization: `Bearer ${token}` };
		await client.connect(
			new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
		);
		return new McpSession(client, onExchange);
	}

	async tools() {
		const answer = await this.client.listTools();
		this.onExchange({ method: 'tools/list' }, answer);
		return answer.tools;
	}

	async call(name: string, args: Record<string, unknown>): Promise<Said> {
		const params = { name, arguments: args };
		const answer = await this.client.callTool(params);
		this.onExchange({ method: 'tools/call', params }, answer);
		const [content] = answer.content as Array<{ type: string; text: string }>;
		return { text: content?.text ?? '', isError: answer.isError === true };
	}

	async close(): Promise<void> {
		await this.client.close();
	}
}
