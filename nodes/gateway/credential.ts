import {
	UserError,
	type ICredentialDataDecryptedObject as Credential,
	type INodeProperties,
} from 'n8n-workflow';

import { isText, textOf } from '../text/text';

/** What a key was copied with: its header, quotation marks, invisible characters. */
const around =
	/^(?:[\s\p{Cf}"'`“”‘’]|(?:x-api-key|x-instance-token|authorization|bearer)["']?(?:\s*[:=]|\s|$))+|[\s\p{Cf}"'`“”‘’,;]+$/giu;

/**
 * A key or token as entered in the credential, without what is around it. Empty where an expression
 * gives nothing.
 */
export function secretOf(entered: unknown): string {
	const secret = textOf(entered).replace(around, '');
	return /^(undefined|null|\[object Object\])$/.test(secret) ? '' : secret;
}

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

export const expressionFields = 'expressionFields';

/**
 * A hidden field of the credential: the names of the fields that n8n stores as expressions. As one of
 * them, it shows that n8n still tells. Only for the first item: it doubles the time of a read.
 */
export function expressionFieldsOf(fields: INodeProperties[]): INodeProperties {
	const values = fields.filter(({ type }) => type !== 'notice').map(({ name }) => name);
	const names = JSON.stringify([...values, expressionFields]);
	const startsAsOne = `{ try { return $rawParameter["&" + name].startsWith("=") } catch { return false } }`;
	return {
		displayName: 'Fields With Expressions',
		name: expressionFields,
		type: 'hidden',
		description: 'Names of the fields whose value is an expression',
		default: `={{ $itemIndex > 0 ? "" : ${names}.filter((name) => ${startsAsOne}).join() }}`,
	};
}

/** Whether a credential, as read for the first item, is the same for all items. */
export const isWithoutExpression = (credential: Credential): boolean =>
	credential[expressionFields] === expressionFields;
