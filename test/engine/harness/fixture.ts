import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ICredentialType, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { listen } from './server';
import { register } from './types';

const credentialType: ICredentialType = {
	name: 'fixtureApi',
	displayName: 'Fixture API',
	properties: [
		{ displayName: 'Key', name: 'key', type: 'string', default: '' },
		{ displayName: 'Scheme', name: 'scheme', type: 'string', default: 'Plain' },
	],
	authenticate: async (credentials, options) => {
		options.headers = { ...options.headers, 'x-key': `${credentials.scheme} ${credentials.key}` };
		return options;
	},
};
register(credentialType);

let count = 0;

/** Defines an action node with the credential `fixtureApi`, and gives its name. */
export function defineAction(
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
) {
	const name = `fixture${++count}`;
	register({
		description: {
			displayName: 'Fixture',
			name,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Fixture' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'fixtureApi' }],
			properties: [],
		},
		execute,
	});
	return name;
}

export interface Received {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A service that records what it gets. Default answer: `{}`. */
export async function startService(
	answer: (response: ServerResponse, request: Received) => void = (response) => response.end('{}'),
) {
	const received: Received[] = [];
	const server = await listen((request, response) => {
		const { method = '', url: path = '', headers } = request;
		const aborted = () => {};
		void buffer(request).then((body) => {
			received.push({ method, path, headers, body });
			response.setHeader('content-type', 'application/json');
			answer(response, received.at(-1)!);
		}, aborted);
	});
	return { ...server, received };
}
