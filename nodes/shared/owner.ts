import type { NodeOperationError } from 'n8n-workflow';

/** Whose value it is: makes the error of one that cannot be used; the caller throws it. */
export interface Owner {
	invalid(message: string, description: string): NodeOperationError;
}
