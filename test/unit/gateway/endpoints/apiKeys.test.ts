import { isRevoked } from '../../../../nodes/gateway/endpoints/apiKeys';

const words =
	'revoked revogada revogado revocada inactive inativa inativo disabled desativada desativado';
const more = 'deleted excluida excluída excluido excluído expired expirada expirado';

it.each(`${words} ${more}`.split(' '))('a key with the status %s is revoked', (status) => {
	for (const written of [status, ` ${status.toUpperCase()} `]) {
		expect(isRevoked({ status: written })).toBe(true);
	}
});

it.each(['not revoked', 'revoked soon', 'revoga', 'expirad', 'exclud', 'active', 1])(
	'a key with the status %s is not',
	(status) => {
		expect(isRevoked({ status })).toBe(false);
	},
);
