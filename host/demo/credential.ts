import type { CredentialReference, HostClient } from '../client';

/** What a person would call them, by n8n's name of the type. */
const NAMES: Record<string, string> = {
	messagingGatewayApi: 'Sandbox account',
	postgres: 'PostgreSQL account',
	redis: 'Redis account',
};

/**
 * Creates a credential, tests it and says what came of that.
 *
 * @throws Error when it is refused
 */
export async function createCredential(
	client: HostClient,
	type: string,
	data: object,
): Promise<CredentialReference> {
	const credential = await client.createCredential(data, type, NAMES[type]);
	const { status, message } = await client.testCredential(credential.id);
	if (status !== 'OK') throw new Error(`'${credential.name}' was refused: ${message}`);
	console.log(`Credential  '${credential.name}': ${message}`);
	return credential;
}
