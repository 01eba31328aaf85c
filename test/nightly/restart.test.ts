/**
 * What the status trigger goes on with when n8n was killed in between. Lists: retry.test.ts; questions:
 * approvalThatReminds.test.ts.
 */
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { useOwnHost } from '../e2e/sharedHost';
import { polls, setStatuses, StatusWorkflow } from '../e2e/statusTrigger/workflow';

const host = useOwnHost();

async function publish(sandbox: Sandbox): Promise<StatusWorkflow> {
	setStatuses(sandbox, { a: 'queued', b: 'sent' });
	const workflow = await StatusWorkflow.create(host, sandbox.credential);
	await workflow.publish();
	setStatuses(sandbox, { a: 'sent', b: 'sent' });
	await workflow.isTold(1);
	return workflow;
}

it('tells each change once; one whose service is down at the start stays active, and says so', async () => {
	const [changing, failing] = [host.sandbox, await startSandbox()];
	try {
		const [change, failure] = [await publish(changing), await publish(failing)];
		await host.kill();
		setStatuses(changing, { a: 'sent', b: 'delivered', c: 'queued' });
		setStatuses(failing, { a: 'delivered', b: 'sent' });
		failing.fault({ fault: { status: 503 } });
		await host.startAgain();

		await change.isTold(3);
		await polls(host, changing, 3);
		const told = ['a queued → sent', 'b sent → delivered', 'c null → queued'];
		expect(await change.told()).toEqual(told);

		await until('it says so', async () => (await failure.executions()).length > 1);
		failing.clearFaults();
		await failure.isTold(2);
		expect(await failure.told()).toEqual(['a queued → sent', 'a sent → delivered']);
		const statuses = (await failure.executions()).map(({ status }) => status);
		expect(statuses.filter((status) => status !== 'error')).toEqual(['success', 'success']);
	} finally {
		await failing.close();
	}
});
