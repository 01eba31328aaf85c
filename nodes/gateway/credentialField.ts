import type { INodeProperties, UserError } from 'n8n-workflow';

import { textOf, toText } from '../text/text';
import type { Owner } from './node';
import { longestCredentialValue, secretOf } from './redaction';

/** A field as n8n's form shows it. Its name, under which it is stored, is its key in `credentialFields`. */
export type UnnamedProperty = Omit<INodeProperties, 'name'>;

/** A field of the credential, and what its value means. */
export interface CredentialField<T> extends UnnamedProperty {
	/** @throws the owner's error where a value, or what its expression gives, cannot be used */
	parse(entered: unknown, owner: Owner<UserError>): T;
}

/** Follows the name of a field in texts. */
export const inCredential = 'in the Messaging Gateway credential';

/**
 * Returns a field whose value `parse` makes of its text, also of a list's or a switch's. One that may be
 * left empty means its default then, or `empty`. An expression that gives nothing is refused, since it
 * must not lift a rule of the account.
 */
export const parsedField = <T>(
	property: UnnamedProperty,
	what: string,
	hint: string,
	parse: (text: string) => T | undefined,
	empty?: T,
): CredentialField<T> => ({
	...property,
	parse(entered, owner) {
		const { displayName, type, required, default: preset } = property;
		const isLeft = entered === '' && type === 'string' && required !== true;
		if (isLeft && preset === '') return empty as T;
		const text = type === 'boolean' ? toText(entered).trim() : textOf(isLeft ? preset : entered);
		const isUsable = text !== '' && text.length <= longestCredentialValue;
		const value = isUsable ? parse(text) : undefined;
		if (value !== undefined) return value;
		const shown = owner.quote(toText(entered).replace('[object Object]', 'an object'));
		throw owner.invalid(`'${displayName}' ${inCredential} is not ${what}: '${shown}'`, hint);
	},
});

type TextProperty = Omit<UnnamedProperty, 'type' | 'default'> & { default?: string };

const textProperty = (property: TextProperty): UnnamedProperty => ({
	type: 'string',
	default: '',
	...property,
});

/** Returns a field of the service's own word for something. */
export const wordField = (property: TextProperty) =>
	parsedField(
		textProperty(property),
		'a name',
		'Enter it as your service calls it, or leave it empty.',
		(text) => text,
		'',
	);

export const numericField = (
	property: Omit<UnnamedProperty, 'type'> & { default: number },
	least: number,
	meaningOf = (entered: number) => entered,
) =>
	parsedField(
		{ type: 'number', ...property },
		`a number of ${least} or more`,
		`Enter a number, e.g. the default ${property.default}.`,
		(text) =>
			Number.isFinite(Number(text)) && Number(text) >= least ? meaningOf(Number(text)) : undefined,
	);

/** Matches what no header can contain; the service masks keys with such characters (interface §2.1). */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** Returns a field of a key or token, never shown; empty where there is none, unless it is required. */
export const secretField = (property: TextProperty): CredentialField<string> => ({
	...textProperty({ typeOptions: { password: true }, ...property }),
	parse(entered, owner) {
		const key = secretOf(entered);
		const isMissing = key === '' && property.required === true;
		const isWhole = textOf(entered).length <= longestCredentialValue;
		if (!isMissing && isWhole && !unsendable.test(key)) return key;
		const cannotBeSent = 'is too long, or contains a line break or a character such as •';
		const is = isMissing ? 'is empty' : cannotBeSent;
		throw owner.invalid(
			`'${property.displayName}' ${inCredential} ${is}`,
			'Copy it again, whole and alone: in lists of keys, • stands for what is hidden. If an expression is to give it, it returned nothing of use here.',
		);
	},
});

export const workflowIdField = (property: TextProperty) =>
	parsedField<string | undefined>(
		textProperty({ placeholder: 'e.g. Kb3dEf6hJ9kLmN0p', ...property }),
		'the ID of a workflow',
		"Enter the last part of the workflow's address in the editor, or leave it empty.",
		(id) => id,
	);

export const withNames = <F extends Record<string, UnnamedProperty>>(list: F) =>
	Object.fromEntries(Object.entries(list).map(([name, each]) => [name, { name, ...each }])) as {
		[K in keyof F]: F[K] & { name: K };
	};
