import type { CredentialReference, HostClient } from '../client';

/** Display names, by credential type. */
const NAMES: Record<string, string> = {
	messagingGatewayApi: 'Sandbox account',
	postgres: 'PostgreSQL account',
	redis: 'Redis account',
};

/**
 * Creates and tests a credential, and prints the result.
 *
 * @throws Error when the test fails
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
