import type { Outcome, Reason } from '../../gateway/outcome';

/** Tells of a request that n8n ended, by Stop or its own time limit, as what it is: no fault of the service's. */
export function asStopped(outcome: Outcome): Outcome {
	if (outcome.kind === 'accepted' || outcome.reason.text !== 'ERR_CANCELED') return outcome;
	const left = outcome.kind === 'unknown' ? 'the service answered' : 'the request left';
	const reason: Reason = {
		...outcome.reason,
		explanation: { message: `The execution was stopped before ${left}` },
	};
	return { ...outcome, reason };
}
