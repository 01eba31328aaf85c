import { fetchOnce, type HostClient } from '../../../tools/host';
import { prepareExample, type Credentials } from '../../../tools/host/examples';
import { shown } from '../examples/nextPage';

/** The workflows in examples/ that know who must not be contacted, and where they keep the numbers. */
export const contactLists = [
	{ database: 'a Data Table', file: 'do-not-contact-data-table' },
	{ database: 'PostgreSQL', file: 'do-not-contact-postgresql' },
] as const;

/**
 * In ms. In queue mode, n8n 2.40 leaves about one form in two hundred without an answer, though its
 * execution has ended well and n8n's log says so.
 */
const answerLimit = 20_000;

/**
 * Imports and publishes one of them.
 *
 * @param url of an n8n that takes forms
 * @returns the credential's rule that uses it, and how somebody enters a number into its form
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
	const stop = async (number: string, times = 3): Promise<number> => {
		const body = new FormData();
		body.set('field-0', number);
		const signal = AbortSignal.timeout(answerLimit);
		try {
			const answer = await fetchOnce(`${url}/form/${form}`, { method: 'POST', body, signal });
			const [, next] = /"formWaitingUrl":"([^"]+)"/.exec(await answer.text()) ?? [];
			if (next) await shown(next); // the number is saved before
			return answer.status;
		} catch (error) {
			if (!signal.aborted || times === 1) throw error;
			return await stop(number, times - 1); // as a person does, who waits in vain
		}
	};
	return { stop, rules: { doNotContactWorkflowId: id } };
}
