/** API keys as the list of them has them: interface §2.1 and §4.1. */
import type { IDataObject } from 'n8n-workflow';

/** Empty where a key tells none. */
export const idOfKey = ({ id }: IDataObject): string =>
	typeof id === 'string' || typeof id === 'number' ? `${id}`.trim() : '';

/** The interface does not show the statuses of a key: these are customary words. */
const revoked =
	/^(revoked|revogad[ao]|revocad[ao]|inactive|inativ[ao]|disabled|desativad[ao]|deleted|exclu[ií]d[ao]|expired|expirad[ao])$/i;

/** Whether a key can be used no more. */
export const isRevoked = ({ status }: IDataObject): boolean =>
	typeof status === 'string' && revoked.test(status.normalize('NFC').trim());
