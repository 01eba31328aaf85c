import type { INodeProperties, UserError } from 'n8n-workflow';

import type { Owner } from '../n8n/errors';
import { toText, textOf } from '../text/values';
import { longestCredentialValue, secretOf } from './redaction';

/** A field as n8n's form shows it. Its name, under which it is stored, is its key in `credentialFields`. */
type UnnamedProperty = Omit<INodeProperties, 'name'>;

export interface CredentialField<T> extends UnnamedProperty {
	/** @throws the owner's error where a value, or what its expression gives, cannot be used */
	parse(entered: unknown, owner: Owner<UserError>): T;
}

/** A field as it is declared: of text, and empty by default, unless it says otherwise. */
type Declared = Partial<UnnamedProperty> & Pick<UnnamedProperty, 'displayName' | 'description'>;

interface Meaning<T> {
	/** The kind of value, e.g. `a country`, for the error about another one. */
	kind: string;
	/** The hint of that error. */
	correction: string;
	/** Returns what a text means, also a list's or a switch's; undefined if it means nothing. */
	parseText(text: string): T | undefined;
	/** The value of a field that is left empty and has no default. */
	empty?: T;
}

/** Follows the name of a field in texts. */
export const inCredential = 'in the Messaging Gateway credential';

/** Follows the name of a field that is out of sight until the switch is on. */
export const inServiceDetails = "in 'Service Details' of the Messaging Gateway credential";

/**
 * Returns a field that means its default, or `empty`, if it is left empty, unless it is required. An
 * expression that gives nothing is refused, since it must not lift a rule of the account.
 */
export function parsedField<T>(declared: Declared & Meaning<T>): CredentialField<T> {
	const { kind, correction, parseText, empty, ...more } = declared;
	const property: UnnamedProperty = { type: 'string', default: '', ...more };
	return {
		...property,
		parse(entered, owner) {
			const { displayName, type, required, default: preset } = property;
			const isLeft = entered === '' && type === 'string' && required !== true;
			if (isLeft && preset === '') return empty as T;
			const text = type === 'boolean' ? toText(entered).trim() : textOf(isLeft ? preset : entered);
			const isUsable = text !== '' && text.length <= longestCredentialValue;
			const value = isUsable ? parseText(text) : undefined;
			if (value !== undefined) return value;
			const shown = owner.quote(toText(entered).replace('[object Object]', 'an object'));
			const is = required && text === '' ? 'is empty' : `is not ${kind}: '${shown}'`;
			throw owner.invalid(`'${displayName}' ${inCredential} ${is}`, correction);
		},
	};
}

export const wordField = (property: Declared) =>
	parsedField({
		...property,
		kind: 'a name',
		correction: 'Enter it as your service calls it, or leave it empty.',
		parseText: (text) => text,
		empty: '',
	});

/** Returns a field of a number. @param property `least` is the lowest that means something */
export const numericField = ({
	least,
	meaningOf,
	...property
}: Declared & { default: number; least: number; meaningOf?(entered: number): number }) =>
	parsedField({
		...property,
		type: 'number',
		kind: `a number of ${least} or more`,
		correction: `Enter a number, e.g. the default ${property.default}.`,
		parseText(text) {
			const value = Number(text);
			if (!Number.isFinite(value) || value < least) return undefined;
			return meaningOf ? meaningOf(value) : value;
		},
	});

/** Matches what no header can contain; the service masks keys with such characters (interface §2.1). */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** Returns a field of a key or token, never shown; empty where there is none, unless it is required. */
export const secretField = (property: Declared): CredentialField<string> => ({
	type: 'string',
	default: '',
	typeOptions: { password: true },
	...property,
	parse(entered, owner) {
		const key = secretOf(entered);
		const isMissing = key === '' && property.required === true;
		const isWhole = textOf(entered).length <= longestCredentialValue;
		if (!isMissing && isWhole && !unsendable.test(key)) return key;
		const cannotBeSent = 'is too long, or contains a line break or a character such as •';
		throw owner.invalid(
			`'${property.displayName}' ${inCredential} ${isMissing ? 'is empty' : cannotBeSent}`,
			'Copy it again, whole and alone: in lists of keys, • stands for what is hidden. If an expression is to give it, it returned nothing of use here.',
		);
	},
});

export const switchField = (property: Declared): CredentialField<boolean> => ({
	type: 'boolean',
	default: false,
	...property,
	parse: (entered) => entered === true,
});

/**
 * Returns fields that n8n shows while a switch is on. It gives no run what is hidden, so these have their
 * defaults then. The switch takes no expression: n8n would not evaluate it first.
 */
export function shownWhile<F extends Record<string, UnnamedProperty>>(name: string, list: F): F {
	const displayOptions = { show: { [name]: [true] } };
	const shown = Object.entries(list).map(([key, each]) => [key, { ...each, displayOptions }]);
	return Object.fromEntries(shown) as F;
}

export const workflowIdField = (property: Declared) =>
	parsedField<string | undefined>({
		placeholder: "e.g. Kb3dEf6hJ9kLmN0p, or the workflow's address in the editor",
		...property,
		kind: 'the ID of a workflow',
		correction: "Enter the last part of the workflow's address in the editor, or leave it empty.",
		parseText: (id) => /\/workflow\/([^/?#]+)/.exec(id)?.[1] ?? id,
	});

export const withNames = <F extends Record<string, UnnamedProperty>>(list: F) =>
	Object.fromEntries(Object.entries(list).map(([name, each]) => [name, { name, ...each }])) as {
		[K in keyof F]: F[K] & { name: K };
	};
