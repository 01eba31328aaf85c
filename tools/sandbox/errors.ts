import type { components } from '../../nodes/service/interface';
import type { ValidationDetail } from './types';

type Schemas = components['schemas'];

/** The texts of interface §7, which shows no HTTP statuses: these are the sandbox's. */
export const OPERATIONAL_ERRORS = {
	invalidToken: { status: 401, message: 'Token inválido.' },
	deletionNotAllowed: { status: 403, message: 'Exclusão não permitida.' },
	campaignNotFound: { status: 404, message: 'Campanha não encontrada.' },
	instanceDisconnected: { status: 409, message: 'Instância desconectada.' },
	internal: { status: 500, message: 'Erro interno do servidor.' },
} as const;

/** Thrown by handlers. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: Schemas['OperationalError'] | Schemas['ValidationError'] | { detail: string },
	) {
		super(`refused with ${status}`);
	}
}

export function operationalError(name: keyof typeof OPERATIONAL_ERRORS): Refusal {
	const { status, message } = OPERATIONAL_ERRORS[name];
	return new Refusal(status, { success: false, message });
}

export const violation = (type: string, msg: string, ...loc: string[]): ValidationDetail => ({
	loc,
	msg,
	type,
});

/** Returns the answer of most services at an address that they do not have. */
export const notFound = () => new Refusal(404, { detail: 'Not Found' });

/** The validation error of interface §2.9. */
export const validationError = (detail: ValidationDetail[]) => new Refusal(422, { detail });
