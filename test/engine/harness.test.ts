/** What n8n does by itself, which the nodes guard against: shown without the guard, and with it. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { deduplication, runNode } from './harness';
import { defineAction, startService } from './harness/fixture';

const services: Array<{ close(): Promise<void> }> = [];
const service: typeof startService = async (answer) => {
	const started = await startService(answer);
	services.push(started);
	return started;
};
afterEach(async () => {
	await Promise.all(services.splice(0).map(async ({ close }) => await close()));
});

async function send(request: IHttpRequestOptions) {
	const node = defineAction(async function () {
		const options = { ...request, returnFullResponse: true };
		await this.helpers.httpRequestWithAuthentication.call(this, 'fixtureApi', options);
		return [[]];
	});
	return await runNode({ node, credential: { key: 'secret' } });
}

it.each([
	[{}, 2, 'NodeApiError'],
	[{ ignoreHttpStatusErrors: true }, 1, undefined],
])('a request is repeated on 401, with %j: sent %i times', async (options, requests, error) => {
	const { url, received } = await service((response) => response.writeHead(401).end('{}'));
	const run = await send({ url, ...options });
	expect(received.map(({ headers }) => headers['x-key'])).toEqual(
		Array(requests).fill('Plain secret'),
	);
	expect(run.error?.name).toBe(error);
});

it.each([
	[{}, 1],
	[{ disableFollowRedirect: true, ignoreHttpStatusErrors: true }, 0],
])('a redirect takes the key along to another host, with %j', async (options, requests) => {
	const foreign = await service();
	const { url } = await service((response) =>
		response.writeHead(307, { location: foreign.url }).end(),
	);
	await send({ url, method: 'POST', body: { a: 1 }, ...options });
	expect(foreign.received.filter(({ headers }) => headers['x-key'])).toHaveLength(requests);
});

it('the store of keys loses entries of calls at the same time', async () => {
	const node = defineAction(async function () {
		const keys = this.getInputData().map(({ json }) => json.key as string);
		const { new: added } = await this.helpers.checkProcessedAndRecord(keys, 'node', {
			mode: 'entries',
		});
		return [added.map((key) => ({ json: { key } }))];
	});
	const fresh = async (...keys: string[]) => {
		const run = await runNode({ node, items: keys.map((key) => ({ key })) });
		return run.outputs[0]!.length;
	};
	deduplication.reset();
	await fresh('a');
	await Promise.all([fresh('b'), fresh('c')]);
	expect(await fresh('a', 'b', 'c')).toBe(1);
});
