/** Workflows that ask a person by SMS, and what the person does. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	fetchOnce,
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
	type WorkflowJson,
} from '../../../tools/host';
import { until } from '../../../tools/host/until';
import type { Sandbox } from '../../../tools/sandbox';
import { chain, gateway, items } from '../../../tools/shared/workflows';

export const message = 'May we deliver tomorrow?';

export const yesOrNo = {
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' },
	},
};

/**
 * Asks the number of each row and then, once for each time that the workflow goes on, sends an SMS to
 * it that says what came out, so that the sandbox counts both.
 */
export function asking(
	credential: CredentialReference,
	name: string,
	parameters: INodeParameters = {},
	rows: IDataObject[] = [{ to: '+5511912345678' }],
): WorkflowJson {
	return chain(
		name,
		...items(...rows),
		ask(credential, parameters),
		reply(credential, rows[0]!.to as string),
	);
}

/** The node under test, named 'Gateway'. */
export const ask = (credential: CredentialReference, parameters: INodeParameters = {}) =>
	gateway(credential, 'message', 'sendAndWait', { to: '={{ $json.to }}', message, ...parameters });

export const reply = (credential: CredentialReference, to: string) => ({
	...gateway(credential, 'message', 'sendSms', {
		to,
		text: '=came out: {{ JSON.stringify($json) }}',
	}),
	name: 'Reply',
});

/** What the workflow went on with, once for each time it did. */
export const cameOut = (sandbox: Sandbox, to: string): IDataObject[] =>
	sandbox
		.accepted({ to })
		.filter(({ text }) => text.startsWith('came out: '))
		.map(({ text }) => JSON.parse(text.slice('came out: '.length)) as IDataObject);

/** The links that were sent to a number, oldest first. */
export const linksTo = (sandbox: Sandbox, to: string): string[] =>
	sandbox
		.accepted({ to })
		.map(({ text }) => text.split('\n').at(-1)!)
		.filter((line) => /^https?:/.test(line));

/** The option that a question waits no longer. n8n goes on up to 75 s after it. */
export const waitAtMost = (seconds: number) => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: seconds / 60, resumeUnit: 'minutes' },
	},
});

export interface Page {
	status: number;
	headers: Headers;
	html: string;
	title?: string;
}

export async function open(link: string, init: RequestInit = {}): Promise<Page> {
	const response = await fetchOnce(link, init);
	const { status, headers } = response;
	const html = await response.text();
	return { status, headers, html, title: /<title>([^<]*)</.exec(html)?.[1] };
}

/** What a browser does when a button is pressed. */
export const answer = async (link: string, value: string): Promise<Page> =>
	await open(link, { method: 'POST', body: new URLSearchParams({ answer: value }) });

/** Waits for a question's execution. n8n 1.x says that it has ended a moment before the answer is stored. */
export const untilAnswered = async (client: HostClient, id: string): Promise<FinishedExecution> =>
	await until('the answer is stored', async () => {
		const ended = await client.waitForExecution(id);
		return outputOf(ended, 'Gateway').length > 0 && ended;
	});
