/** Each operation on the wire, held against the OpenAPI document, and what comes out of the node. */
import { asEachTime } from '../../../tools/documentation/recordings';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { SEEDS } from '../../../tools/sandbox';
import { actionIds, isChatApp, operationOf, rowOf, rows } from '../../../tools/shared/operations';
import { useGateway } from './support';

const gateway = useGateway();

test('the table has all operations of the node', () => {
	const all = resources.flatMap(({ operations }) => operations);
	expect(new Set(rows.map(operationOf))).toEqual(new Set(all));
});

/** What the HTTP library adds to any request. */
const transport = /^(host|connection|user-agent|accept|accept-encoding|content-length)$/;

it.each(actionIds)('%s', async (id) => {
	const { output, method, path, query = {}, body } = rowOf(id);
	const { outputs, error } = await gateway.run(id);

	expect(error).toBeUndefined();
	const items = [output].flat().map((json) => ({ json, pairedItem: { item: 0 } }));
	expect(asEachTime(outputs)).toEqual(asEachTime([items]));

	const request = gateway.onlyRequest();
	expect(request).toMatchObject({ valid: true, status: 200 });
	const headers = Object.entries(request.headers).filter(([name]) => !transport.test(name));
	expect({
		method: request.method,
		path: request.path,
		query: request.query,
		headers: Object.fromEntries(headers),
		body: request.body,
	}).toEqual({
		method,
		path,
		query,
		headers: {
			'x-api-key': SEEDS.apiKey,
			...(isChatApp(id) && { 'x-instance-token': SEEDS.instanceToken }),
			...(body && { 'content-type': 'application/json' }),
		},
		body,
	});
});
