import type { IDataObject } from 'n8n-workflow';

/** A field that a delivery must have, and its value as text. */
export interface Condition {
	/** Names separated by dots, positions in lists as numbers: `data.messages.0.status`. */
	field: string;
	value: string;
}

/** Whether a delivery has all the fields with their values. A condition without a field is none. */
export function matches(delivery: IDataObject, conditions: Condition[]): boolean {
	return conditions.every(({ field, value }) => {
		const path = String(field).trim();
		const found = path.split('.').reduce<unknown>(step, delivery);
		return path === '' || (isText(found) && String(found) === String(value));
	});
}

function step(value: unknown, key: string): unknown {
	const isParent = typeof value === 'object' && value !== null;
	return isParent && Object.hasOwn(value, key) ? (value as IDataObject)[key] : undefined;
}

const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
