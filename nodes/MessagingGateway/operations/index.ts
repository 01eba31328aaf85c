import type { Operation, Resource } from '../operation';
import { apiKey } from './apiKey';
import { campaign } from './campaign';
import { instance } from './instance';
import { message } from './message';
import { webhook } from './webhook';

/** Every resource, in the order of the dropdown. The node's form and behaviour come from here. */
export const resources: Resource[] = [apiKey, campaign, instance, message, webhook];

export const defaultResource = message.value;

/** @returns undefined for a pair that no version of this node ever had */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
