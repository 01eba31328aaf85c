import { fetchOnce, type HostClient, type WorkflowJson } from '../../../tools/host';
import { until } from '../../../tools/host/until';

/** Imports a workflow, and publishes it. @returns its id */
export async function publishIn(client: HostClient, workflow: WorkflowJson): Promise<string> {
	const id = await client.createWorkflow(workflow);
	expect((await client.activate(id)).status).toBe('published');
	return id;
}

/** Posts to a Webhook node. @param url of a process that takes deliveries */
export const postTo = async (url: string, path: string, body: object = {}) =>
	await fetchOnce(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

/** The id of a workflow's only execution, once it is there. */
export async function onlyExecution(client: HostClient, workflowId: string): Promise<string> {
	const all = async () => await client.executions(workflowId);
	await until('it is there', async () => (await all()).length === 1);
	return (await all())[0]!.id;
}
