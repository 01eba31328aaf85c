import { UserError, type ICredentialDataDecryptedObject as Credential } from 'n8n-workflow';

import { isText, textOf } from '../text/toText';

/**
 * Why this n8n may not use the credential; undefined if it may. A copy of n8n's database, such as for
 * staging, has the same credentials and the same published workflows: it would send to real people and
 * take the webhook. Its address is what differs.
 */
export function forOtherN8n(
	context: { getInstanceBaseUrl(): string },
	credential: Credential,
): UserError | undefined {
	const { n8nAddress } = credential;
	// An expression that gives nothing does not mean: in any n8n.
	if ('n8nAddress' in credential && !isText(n8nAddress)) {
		return notHere(
			"'Only Use in This n8n' in the Messaging Gateway credential is not an address",
			'Enter the address of your n8n, or an expression that returns it.',
		);
	}
	const wanted = textOf(n8nAddress);
	if (wanted === '') return undefined;
	const own = context.getInstanceBaseUrl();
	if (plain(own) === plain(wanted)) return undefined;
	return notHere(
		`The Messaging Gateway credential may only be used in the n8n at ${wanted}, and this one is at ${own}`,
		"If this is the right n8n, correct 'Only Use in This n8n' in the credential. If it is a copy, unpublish its workflows, or give it an account of its own.",
	);
}

const notHere = (message: string, description: string): UserError =>
	new UserError(message, { description: `${description} Nothing was sent or changed.` });

/** Without scheme, which a proxy may change, and without a slash at the end. */
function plain(address: string): string {
	const entered = address.replace(/^[a-z]+:\/\//i, '');
	const url = `https://${entered}`;
	const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: entered, pathname: '' };
	return `${host}${pathname}`.replace(/\/$/, '').toLowerCase();
}
