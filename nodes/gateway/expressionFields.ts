import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

export const expressionFields = 'expressionFields';

/**
 * A hidden field of the credential: the names of its fields with an expression, as n8n stores them. It
 * is one itself, so without its own name it proves nothing. Only for the first item, since it takes as
 * long as reading the rest.
 */
export function expressionFieldsOf(fields: INodeProperties[]): INodeProperties {
	const names = JSON.stringify([...new Set(fields.map(({ name }) => name)), expressionFields]);
	const startsAsOne = `{ try { return $rawParameter["&" + name].startsWith("=") } catch { return false } }`;
	return {
		displayName: 'Fields With Expressions',
		name: expressionFields,
		type: 'hidden',
		default: `={{ $itemIndex > 0 ? "" : ${names}.filter((name) => ${startsAsOne}).join() }}`,
	};
}

/** Whether a credential, as read for the first item, is the same for all items. */
export const isWithoutExpression = (credential: ICredentialDataDecryptedObject): boolean =>
	credential[expressionFields] === expressionFields;
