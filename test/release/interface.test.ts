import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { DEFAULT_NAMES, loadDocument, OPERATIONS } from '../../tools/sandbox/document';

const document = loadDocument(DEFAULT_NAMES);

/** With the places of their schemas. */
const examplesIn = (value: unknown, place = '#'): Array<[string, unknown]> =>
	typeof value !== 'object' || value === null
		? []
		: [
				...('schema' in value && 'example' in value
					? [[`${place}/schema`, value.example] as [string, unknown]]
					: []),
				...Object.entries(value).flatMap(([name, each]) =>
					examplesIn(each, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
				),
			];

test('the examples of docs/openapi.yaml are what its schemas allow', () => {
	const ajv = new Ajv({ strictSchema: false, validateSchema: false });
	addFormats(ajv);
	ajv.addSchema(document, 'interface');
	const examples = examplesIn(document);
	expect(examples.length).toBeGreaterThan(10);
	for (const [place, example] of examples) {
		const isValid = ajv.validate({ $ref: `interface${place}` }, example);
		expect({ place, errors: isValid ? [] : ajv.errors }).toEqual({ place, errors: [] });
	}
});

test('it has an example of both bodies of a send: tests expect one, the sandbox answers the other', () => {
	const sends = OPERATIONS.filter(({ isSend }) => isSend);
	expect(sends.length).toBeGreaterThanOrEqual(3);
	expect(sends.filter(({ request, answer }) => !request || !answer)).toEqual([]);
});
