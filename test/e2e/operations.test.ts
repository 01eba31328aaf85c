/**
 * The examples of the operations' pages in the real n8n, each with a service of its own: the request,
 * held against the OpenAPI document, and the output. UPDATE_DOCS=1 records them.
 */
import {
	asEachTime,
	exchangeOf,
	readRecording,
	writeRecording,
	type OperationRun,
} from '../../tools/documentation/recordings';
import { outputOf, type FinishedExecution, type HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { resources } from '../../nodes/MessagingGateway/operations';
import { operationOf, rows } from '../../tools/shared/operations';
import { sharedHost } from './sharedHost';
import { answer, linksTo, untilAnswered } from './wait/question';
import { chain, gateway, items, node } from '../../tools/shared/workflows';

const audio = Buffer.from('OggS, a short piece of audio');
const person = { name: 'Ana', phone: '+55 (11) 91234-5678' };

/** In the order of the form. */
const examples = resources
	.flatMap(({ operations }) => operations)
	.flatMap((operation) => rows.filter((row) => operationOf(row) === operation))
	.flatMap((row) =>
		row.examples.map((parameters, index) => ({
			...row,
			parameters,
			title: `${row.resource}: ${row.operation} ${index + 1}`,
		})),
	);
type Example = (typeof examples)[number];

describe('each operation in the real n8n', () => {
	let client: HostClient;
	const runs: OperationRun[] = [];

	beforeAll(async () => {
		({ client } = await sharedHost());
	});

	it.each(examples)('$title', async (example) => {
		const { resource, operation, parameters } = example;
		const sandbox = await startSandbox({ keepAnswers: true });
		try {
			example.before?.(sandbox);
			const execution = await play(example, sandbox);
			expect(execution.error).toBeUndefined();
			const output = outputOf(execution, 'Gateway');
			expect(output[0]?.pairedItem).toEqual({ item: 0 });
			const [request, ...more] = sandbox.requests();
			expect(more).toEqual([]);
			expect(request).toMatchObject({ valid: true, violations: [] });
			const exchange = exchangeOf(request!);
			const shown = { resource, operation, input: person, parameters, exchange };
			runs.push(asEachTime({ ...shown, output: output.map(({ json }) => json) }));
		} finally {
			await sandbox.close();
		}
	});

	it('the documentation shows these runs', () => {
		if (process.env.UPDATE_DOCS) writeRecording('operations', runs);
		expect(runs).toEqual(readRecording('operations')); // `npm run docs` makes pages of it
	});

	async function play(example: Example, sandbox: Sandbox): Promise<FinishedExecution> {
		const { title, resource, operation, parameters } = example;
		const credential = await client.createCredential(sandbox.credential);
		const { waits } = operationOf(example);
		const takesFile = String(parameters.to).includes('$("Items")'); // which has the number no more
		const workflow = chain(
			title,
			...items({ ...person, audio: audio.toString('base64') }),
			...(takesFile ? [toFile] : []),
			gateway(credential, resource, operation, parameters),
		);
		if (!waits) return await client.execute(workflow);
		const id = await client.begin(workflow);
		await client.untilItWaits(id);
		await answer(linksTo(sandbox, '5511912345678').at(-1)!, 'approve');
		return await untilAnswered(client, id);
	}
});

/** Makes a file of the item's Base64 text. */
const toFile = node(
	'To File',
	'n8n-nodes-base.convertToFile',
	{
		operation: 'toBinary',
		sourceProperty: 'audio',
		options: { fileName: 'greeting.ogg', mimeType: 'audio/ogg' },
	},
	{ typeVersion: 1.1 },
);
