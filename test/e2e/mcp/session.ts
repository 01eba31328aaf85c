import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a tool has said. */
export interface Said {
	text: string;
	isError: boolean;
}

/** What an AI agent does with the tools of an MCP server, through the official client library. */
export class McpSession {
	private constructor(private readonly client: Client) {}

	/** @throws Error where the server refuses the token */
	static async connect(url: string, token: string): Promise<McpSession> {
		const client = new Client({ name: 'agent', version: '1.0.0' });
		const headers = { authorization: `Bearer ${token}` };
		await client.connect(
			new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
		);
		return new McpSession(client);
	}

	async tools() {
		return (await this.client.listTools()).tools;
	}

	async call(name: string, args: Record<string, unknown>): Promise<Said> {
		const answer = await this.client.callTool({ name, arguments: args });
		const [content] = answer.content as Array<{ type: string; text: string }>;
		return { text: content?.text ?? '', isError: answer.isError === true };
	}

	async close(): Promise<void> {
		await this.client.close();
	}
}
