/** Every example that sends, behind 'Permission to send': nothing leaves until it is in 'Service workflows'. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { fetchOnce } from '../../tools/host';
import { exampleFiles, readExample } from '../../tools/host/examples';
import { until } from '../../tools/host/until';
import { chain, items } from '../../tools/shared/workflows';
import { useModel } from '../e2e/agent/model';
import type { Example } from '../e2e/examples/example';
import { formUrl } from '../e2e/examples/nextPage';
import { addRows, rowsOf } from '../e2e/examples/tables';
import { ticking } from '../e2e/statusTrigger/workflow';
import { call } from '../e2e/support/workflows';
import { useConsent } from './consentStores';

const consent = useConsent();
const { host } = consent;
const text = 'Your order 4711 is ready.';
const toolParameters = { to: '+55 21 99876-5432', text };
const model = useModel(host, () => [{ toolParameters, hitlParameters: {} }]);

/** Starts it, and returns the ID of its execution. */
type Start = (example: Example) => Promise<string>;

const byForm =
	(form: string, ...values: string[]): Start =>
	async (example) => {
		const [address, body] = formUrl(example, form, values);
		const before = (await host.client.executions(example.id)).length;
		await fetchOnce(host.url + address, { method: 'POST', body });
		await until('it is started', async () => {
			return (await host.client.executions(example.id)).length > before;
		});
		return await host.client.newest(example.id);
	};

const number = '+55 11 91234-5678';
const starts: Record<string, Start> = {
	'form-to-sms': byForm('On Form Submission', number, 'Hello'),
	'one-time-code': byForm('Number Form', number),
	'agent-sms-after-review': byForm('Request Form', 'Tell them.'),
	'disconnected-instance-alert': async ({ id }) => {
		const before = (await host.client.executions(id)).length;
		host.sandbox.instance.connected = !host.sandbox.instance.connected;
		await ticking(host, 'it is started', async () => {
			return (await host.client.executions(id)).length > before;
		});
		return await host.client.newest(id);
	},
	'stop-by-reply': async ({ id }) => {
		const row = { number: 'a@lid', words: `STOP ${Math.random()}`, told: '' };
		await addRows(host.client, 'To review', [row]);
		return await host.client.run(id, 'Every 15 Minutes');
	},
	'list-that-goes-on': async ({ id }) => {
		const { client } = host;
		await client.untilItRestsOrEnds(await client.run(id)); // creates the table
		const row = { contact: `C-${Math.random()}`, phone: number, name: 'Ana', outcome: '' };
		await addRows(client, 'List that goes on', [row]); // who was skipped is done
		return await client.run(id, 'Every Ten Minutes');
	},
	'answer-replies': async ({ id }) => {
		const digits = number.replace(/\D/g, '');
		const reply = { digits, words: 'Hello', messageId: `m-${Math.random()}`, at: '2030-01-01' };
		await host.client.execute(chain('Reply', ...items(reply), call(id)));
		return await host.client.newest(id);
	},
};

const isSend = ({ type, parameters }: INode): boolean =>
	/messagingGateway(Hitl)?(Tool)?$/.test(type) &&
	/^send/.test(String(parameters.operation ?? 'send')) &&
	(parameters.options as INodeParameters | undefined)?.dryRun !== true; // it only reads a number
const sending = exampleFiles().filter(
	(file) => !file.endsWith('-postgresql') && readExample(file).nodes.some(isSend),
);

let list: Example;
beforeAll(async () => {
	list = await consent.importExample('permission-to-send');
	await list.publish({ stays: true });
});

it.each(sending)('%s', async (file) => {
	const { client, sandbox, credential } = host;
	const rules = { doNotContactWorkflowId: list.id };
	await client.updateCredential(credential.id, { ...sandbox.credential, ...rules });
	const isByHand = !(file in starts) || ['stop-by-reply', 'list-that-goes-on'].includes(file);
	const example = await consent.importExample(file, undefined, { openAiApi: model.openAi });
	if (!isByHand) await example.publish();
	const start = starts[file] ?? (async ({ id }: Example) => await client.run(id));
	await client.untilItRestsOrEnds(await start(example));
	expect(sandbox.accepted()).toEqual([]);
	const skipped = (await rowsOf(client, 'Skipped')).filter(
		({ workflow }) => workflow === example.id,
	);
	const isAskedOnlyInDryRuns = file === 'check-before-sending';
	expect(skipped.length > 0).toBe(!isAskedOnlyInDryRuns);
	for (const { why } of skipped) expect(why).toBe('no consent');

	const row = { workflow: example.id, name: file, by: 'Ana' };
	await addRows(client, 'Service workflows', [row]);
	await client.untilItRestsOrEnds(await start(example));
	expect(sandbox.accepted().length).toBeGreaterThan(0);
});
