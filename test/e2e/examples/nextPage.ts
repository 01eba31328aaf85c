import { fetchOnce } from '../../../tools/host';
import { until } from '../../../tools/host/until';
import type { Example } from './example';

/** Where an example's form is submitted, and with which values in its fields. */
export function formUrl({ nodes }: Example, form: string, values: string[]) {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
	return [`/form/${nodes.find(({ name }) => name === form)?.webhookId}`, body] as const;
}

/** A page that a form goes on with. */
export interface Shown {
	address: string;
	html: string;
}

/** Waits for it as n8n's own page does. Showing the last page ends the execution. */
async function shown(address: string): Promise<Shown> {
	const read = async (address: string) => await (await fetchOnce(address)).text();
	const status = address.replace('?', '/n8n-execution-status?');
	await until('the next page is there', async () => (await read(status)).includes('form-waiting'));
	return { address, html: await read(address) };
}

/** Fills in the fields of a form that goes on with another page. @param url of n8n */
export async function nextPage(
	url: string,
	example: Example,
	form: string,
	...values: string[]
): Promise<Shown> {
	const [address, body] = formUrl(example, form, values);
	const answer = await fetchOnce(url + address, { method: 'POST', body });
	const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
	return await shown(formWaitingUrl);
}

/** The same, of that page. */
export async function goOn({ address }: Shown, value: string): Promise<Shown> {
	const body = new FormData();
	body.set('field-0', value);
	await (await fetchOnce(address, { method: 'POST', body })).text(); // once it goes on
	return await shown(address);
}
