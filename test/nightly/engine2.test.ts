/** n8n's Engine 2.0, which a workflow chooses: what holds there. docs/compatibility.md says so. */
import type { IDataObject, INode } from 'n8n-workflow';
import { freePort, outputOf } from '../../tools/host';
import { N8N_DATABASE } from '../../tools/host/queue/servers';
import { runningClock } from '../e2e/environment';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { useOwnHost } from '../e2e/sharedHost';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items } from '../../tools/shared/workflows';
import { numbered } from '../e2e/support/workflows';
import { useDatabase } from './database';

const rows = numbered(2);
const all = rows.map(({ to }) => to);

describeWhereInstalled("n8n's Engine 2.0", () => {
	const postgres = useDatabase('postgres');
	const host = useOwnHost(async () => {
		const [port, controlPort] = [await freePort(), await freePort()];
		return {
			...runningClock,
			N8N_ENABLED_MODULES: 'engine-v2',
			N8N_ENGINE_DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/${N8N_DATABASE}`,
			N8N_ENGINE_AUTH_SECRET: 'only-for-this-test-'.repeat(4),
			N8N_ENGINE_HOST: '127.0.0.1',
			N8N_ENGINE_PORT: String(port),
			N8N_ENGINE_BASE_URL: `http://127.0.0.1:${port}`,
			N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
			N8N_ENGINE_CONTROL_PLANE_BASE_URL: `http://127.0.0.1:${controlPort}`,
		};
	});

	async function prepare(operation: string, parameters: IDataObject, more: Partial<INode> = {}) {
		const send = gateway(host.credential, 'message', operation, parameters as never, more);
		const workflow = chain('Engine 2.0', ...items(...rows), send);
		const settings = { timezone: 'Asia/Tokyo', engineType: 'v2' } as object;
		const id = await host.client.createWorkflow({ ...workflow, settings });
		return async () => await host.client.waitForExecution(await host.client.run(id));
	}

	const run = async (...node: Parameters<typeof prepare>) => await (await prepare(...node))();

	const to = '={{ $json.to }}';
	const sent = () => host.sandbox.accepted().map((message) => message.to);

	it('sends each item once', async () => {
		const execution = await run('sendSms', { to, text: 'Hi' });
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Gateway')).toHaveLength(2);
		expect(sent()).toEqual(all);
	});

	it('sends nothing again that has a key', async () => {
		const options = onceBy('={{ $json.to }}');
		const again = await prepare('sendSms', { to, text: 'Hi', options });
		await again();
		const output = outputOf(await again(), 'Gateway');
		expect(output.map(({ json }) => json.skipped)).toEqual([true, true]);
		expect(sent()).toHaveLength(2);
	});

	it('asks no question', async () => {
		const { status, error } = await run(
			'sendAndWait',
			{ to, message: 'OK?' },
			{ executeOnce: true },
		);
		expect([status, sent()]).toEqual(['error', []]);
		expect(error?.message).toContain("does not work in n8n's Engine 2.0");
	});

	it("knows the recipient's hours and a time that has passed", async () => {
		const hours = { from: '00:00', to: '24:00', days: 'monday,tuesday,wednesday,thursday,friday' };
		const days = `${hours.days},saturday,sunday`;
		const timezone = { __rl: true, mode: 'list', value: 'recipient' };
		const between = (values: IDataObject) => ({ options: { sendBetween: { values } } });
		const windows = { values: [{ ...hours, days }] };
		const own = between({ windows, timezone, outside: 'skip' });
		expect((await run('sendSms', { to, text: 'Hi', ...own })).error).toBeUndefined();
		expect(sent()).toEqual(all);
		const late = between({ windows: {}, notAfter: '2020-01-01T00:00:00Z' });
		const output = outputOf(await run('sendSms', { to, text: 'Hi', ...late }), 'Gateway');
		expect(output.map(({ json }) => json.reason)).toEqual(['late', 'late']);
		expect(sent()).toEqual(all);
	});

	it.each([
		['2099-12-31T10:00:00', [], "'Schedule At' has no time zone: '2099-12-31T10:00:00'"],
		['2099-12-31T10:00:00+09:00', all, undefined],
	])('scheduled for %s', async (scheduleAt, expected, message) => {
		const smsZone = { ...host.sandbox.credential, smsScheduleTimezone: 'America/Sao_Paulo' };
		await host.client.updateCredential(host.credential.id, smsZone);
		const execution = await run('sendSms', { to, text: 'Hi', scheduleAt });
		expect(sent()).toEqual(expected);
		expect(JSON.stringify(execution.error ?? {})).toContain(message ?? '');
	});
});
