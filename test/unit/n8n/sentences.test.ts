import {
	ManualExecutionCancelledError,
	SystemShutdownExecutionCancelledError,
	TimeoutExecutionCancelledError,
} from 'n8n-workflow';

import { isCancellation } from '../../../nodes/n8n/sentences';

test.each([
	ManualExecutionCancelledError,
	SystemShutdownExecutionCancelledError,
	TimeoutExecutionCancelledError,
])('n8n says that an execution was ended: %p', (EndedError) => {
	expect(isCancellation(new EndedError('1'))).toBe(true);
	expect(isCancellation(new Error('Connection refused'))).toBe(false);
});
