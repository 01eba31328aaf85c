import { fetchOnce, type HostClient } from '../../../host';
import { prepareExample, type Credentials } from '../../../host/examples';

/** The workflows in examples/ that know who must not be contacted, and where they keep the numbers. */
export const contactLists = [
	{ database: 'a Data Table', file: 'do-not-contact-data-table' },
	{ database: 'PostgreSQL', file: 'do-not-contact-postgresql' },
] as const;

/**
 * Imports and publishes one of them.
 *
 * @param url of an n8n that takes forms
 * @returns the options of a send that uses it, and how somebody enters a number into its form
 */
export async function publishContactList(
	client: HostClient,
	url: string,
	file: string,
	credentials: Credentials,
) {
	const workflow = await prepareExample(client, file, credentials);
	const id = await client.createWorkflow(workflow);
	expect((await client.activate(id)).status).toBe('published');
	const form = workflow.nodes.find(({ name }) => name === 'STOP Form')!.webhookId;
	const stop = async (number: string) => {
		const body = new FormData();
		body.set('field-0', number);
		const { status } = await fetchOnce(`${url}/form/${form}`, { method: 'POST', body });
		return status;
	};
	return { stop, options: { doNotContactWorkflow: { __rl: true, mode: 'id', value: id } } };
}
