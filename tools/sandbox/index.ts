import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerControlRoutes } from './controlRoutes';
import { Controls } from './controls';
import { DEFAULT_NAMES } from './document';
import { registerGateway } from './gateway';
import { SEEDS } from './seeds';
import type { Names, SandboxCredential } from './types';

export type * from './types';
export { OPERATIONAL_ERRORS } from './errors';
export { REMINDED, SEEDS } from './seeds';
export { UNDELIVERABLE } from './state';

export interface SandboxOptions {
	/** On 127.0.0.1; default: any free one. */
	port?: number;
	/** Serves https with a self-signed certificate. */
	https?: boolean;
	/** Path prefix, e.g. `/gateway`; anything outside of it gets 404. */
	basePath?: string;
	names?: Partial<Names>;
	/** Another sandbox's `snapshot()`, to go on with its messages. */
	kept?: Buffer;
	/** Records the bodies of answers, too; they would fill the memory in a long run. */
	keepAnswers?: boolean;
}

/** A running sandbox with its controls. Sandboxes share nothing. */
export interface Sandbox extends Controls {
	/** Base URL including `basePath`, without a trailing slash. */
	readonly url: string;
	/** The data of the node's credential. */
	readonly credential: SandboxCredential;
	/** Cuts off all requests under way. */
	hangUp(): void;
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, https = false, basePath = '', keepAnswers = false } = options;
	const names: Names = { ...DEFAULT_NAMES, ...options.names };
	const controls = new Controls(options.kept);
	const app = createServer(https);
	app.register(async (child) => registerGateway(child, names, controls, keepAnswers), {
		prefix: basePath,
	});
	app.register(async (child) => registerControlRoutes(child, controls, () => credential), {
		prefix: `${basePath}/_sandbox`,
	});
	if (basePath)
		app.setNotFoundHandler((_request, reply) =>
			reply.status(404).type('text/html').send('<h1>Not Found</h1>'),
		);
	await app.listen({ port, host: '127.0.0.1' });

	const address = app.server.address() as AddressInfo;
	const url = `${https ? 'https' : 'http'}://127.0.0.1:${address.port}${basePath}`;
	const credential: SandboxCredential = {
		baseUrl: url,
		apiKey: SEEDS.apiKey,
		chatApp: true,
		instanceToken: SEEDS.instanceToken,
		serviceDetails: true,
		sendKeyAs: 'apiKeyHeader',
		defaultCountryCode: '55',
		...names,
		allowUnauthorizedCerts: https,
		chatAppPause: '0',
	};
	const close = async () => {
		await controls.end();
		await app.close();
	};
	const hangUp = () => app.server.closeAllConnections();
	return Object.assign(controls, { url, credential, hangUp, close });
}

function createServer(https: boolean): FastifyInstance {
	const options = {
		bodyLimit: 150 * 1024 * 1024, // for 100 MB of audio as Base64
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1000 },
	};
	if (!https) return Fastify(options);
	const pem = readFileSync(join(__dirname, 'localhost.pem'));
	return Fastify({ ...options, https: { key: pem, cert: pem } }) as unknown as FastifyInstance;
}
