import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { Operation } from '../../../nodes/send/operation';
import { runOperation } from '../../../nodes/send/runOperation';
import { credential, makeContext, type ContextOptions } from '../../../tools/shared/context';

export interface RunOptions extends Omit<ContextOptions, 'items' | 'http'> {
	/** Of the service, one by one, the last one for all that follow. */
	answers?: object[];
	/** Holds an answer back. */
	wait?: (request: IHttpRequestOptions) => Promise<unknown>;
	/** The credential's rules. */
	rules?: ICredentialDataDecryptedObject;
	/** What differs from the context otherwise. */
	own?: Partial<IExecuteFunctions>;
}

interface Ended {
	outputs: INodeExecutionData[];
	error?: Error & { description?: string };
	requests: IHttpRequestOptions[];
}

export const answer = (statusCode: number, body: IDataObject) => ({
	statusCode,
	headers: {},
	body: JSON.stringify(body),
});

/** Runs an operation without retries, unless the rules differ. */
export async function run(
	operation: Operation,
	items: IDataObject[],
	{ answers = [answer(200, {})], wait, rules, own, ...more }: RunOptions = {},
): Promise<Ended> {
	const requests: IHttpRequestOptions[] = [];
	const context = makeContext({
		...more,
		items,
		credential: { maxRetries: 0, ...(more.credential ?? credential), ...rules },
		http: async (_, request) => {
			const given = answers[Math.min(requests.push(request), answers.length) - 1];
			await wait?.(request);
			return await given;
		},
	});
	return await runOperation(Object.assign(context, own), operation).then(
		([outputs = []]): Ended => ({ outputs, requests }),
		(error: Ended['error']): Ended => ({ outputs: [], error, requests }),
	);
}
