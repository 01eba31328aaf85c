import type { INode } from 'n8n-workflow';

import type { Outcome } from '../../gateway/outcome';
import type { Source, StatusRecord } from '../statusEvent';
import { notAccepted, without, type Failure } from '../failures';
import type { OpenLook } from './open';

/** What came of reading a source. */
export function recordsIn(
	node: INode,
	{ event, look }: OpenLook,
	source: Source,
	outcome: Outcome,
): StatusRecord[] | Failure {
	const isAccepted = outcome.kind === 'accepted';
	const body = isAccepted ? outcome.body : event.refusalAsAnswer?.(outcome.reason);
	if (!isAccepted && !body) return notAccepted(node, { event, look }, source, outcome);
	const records = event.records(body, source);
	return Array.isArray(records) ? records : without(node, source, records);
}

export const isFailure = (result: StatusRecord[] | Failure): result is Failure =>
	!Array.isArray(result);
