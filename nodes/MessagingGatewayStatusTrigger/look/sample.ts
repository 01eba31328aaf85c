import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openLook } from './open';
import { isFailure, recordsIn } from './records';

const timeoutMs = 10_000;

/**
 * What 'Fetch Test Event' shows: one record as if it had just changed. The state of the published
 * workflow is neither read nor written.
 *
 * @throws NodeApiError or NodeOperationError when the service does not tell, or has nothing to show
 */
export async function fetchSample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const open = await openLook(context);
	const { event, look, sources } = open;
	for (const source of sources) {
		const outcome = await look.client.attempt(source.request, timeoutMs);
		const records = recordsIn(node, open, source, outcome);
		if (isFailure(records)) throw records.error;
		const change = event.sample(records, look);
		if (change) return [[{ json: event.output(change, look.settings) }]];
	}
	throw new NodeOperationError(node, 'There is nothing to show yet', {
		description:
			'The service answered, but with nothing that this event is about. Once there is, fetch a test event again; the published workflow needs none.',
	});
}
