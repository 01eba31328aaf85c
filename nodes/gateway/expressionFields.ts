import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

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
export const isWithoutExpression = (credential: ICredentialDataDecryptedObject): boolean =>
	credential[expressionFields] === expressionFields;
