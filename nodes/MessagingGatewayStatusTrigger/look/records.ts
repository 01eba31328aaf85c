import type { INode } from 'n8n-workflow';

import type { Outcome } from '../../shared/outcome';
import type { Source, StatusRecord } from '../statusEvent';
import { notAccepted, notThere, type Failure } from './failure';
import type { OpenLook } from './open';

/** What came of reading a source. */
export function recordsIn(
	node: INode,
	{ event, look }: OpenLook,
	source: Source,
	outcome: Outcome,
): StatusRecord[] | Failure {
	if (outcome.kind === 'accepted') {
		return event.records(outcome.body, source) ?? notThere(node, source);
	}
	const answer = event.refusalAsAnswer?.(outcome.reason);
	const records = answer && event.records(answer, source);
	return records ?? notAccepted(node, { event, look }, source, outcome);
}

export const isFailure = (result: StatusRecord[] | Failure): result is Failure =>
	!Array.isArray(result);
