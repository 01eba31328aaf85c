/** Each operation on the wire, held against the OpenAPI document, and what comes out of the node. */
import type { INodeParameters } from 'n8n-workflow';
import { asEachTime } from '../../../tools/documentation/recordings';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { SEEDS } from '../../../tools/sandbox';
import { OPERATIONS } from '../../../tools/sandbox/document';
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

const queries = OPERATIONS.map(({ id, parameters }) => {
	return { id, asked: parameters.filter((each) => each.in === 'query') };
});

// Of several options, each parameter needs an example in the document: what the placeholder says.
it.each(queries.filter(({ asked }) => asked.length))('the query of $id', async ({ id, asked }) => {
	const { query: own = {}, ...row } = rowOf(id);
	const { fields, options } = operationOf(row);
	const filters = fields.find(({ name }) => name === 'filters')?.options as typeof options;
	const entered: INodeParameters = {};
	for (const { name, placeholder, ...field } of options ?? filters ?? [])
		entered[name] = placeholder?.replace('e.g. ', '') ?? (field.default as string);
	await gateway.run(id, { parameters: { filters: entered, options: entered } });
	const [first] = Object.values(entered);
	const query = asked.map(({ name, example = own[name] ?? first }) => [name, String(example)]);
	expect(gateway.onlyRequest()).toMatchObject({ valid: true, query: Object.fromEntries(query) });
});
