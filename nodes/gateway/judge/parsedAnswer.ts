import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../answerBody';
import { messageIdOf } from '../endpoints/messages';
import { serviceTexts } from '../serviceTexts';

/** What an answer says by its body alone (interface §2.5, §2.9). */
export interface Saying {
	/** The request was accepted, or a part of it. */
	yes: boolean;
	/** It was not, or a part of it was not. */
	no: boolean;
	/** The service's own text. */
	text?: string;
	/** The `detail` array in one readable line. */
	validation?: string;
	/** The audio answer carries a numeric code of its own; below 400 it says nothing. */
	status?: number;
}

/** Reads every object of an answer, since the SMS answer is a list of them. */
export function readSaying(body: unknown): Saying {
	const sayings = [body].flat().filter(isObject).map(readObject);
	const refusals = sayings.filter(({ no }) => no);
	const texts = [...refusals, ...sayings].map(({ text }) => text).filter((text) => text);
	return {
		yes: sayings.some(({ yes }) => yes),
		no: refusals.length > 0,
		text: texts.find((text) => text === serviceTexts.internalError) ?? texts[0],
		validation: sayings.find(({ validation }) => validation !== undefined)?.validation,
		status: sayings.find(({ status }) => status !== undefined)?.status,
	};
}

/** A send is accepted when the answer says so or names the message; a bare 200 is no such answer. */
export const saysYes = (answer: IDataObject): boolean =>
	readFlag(answer.success) === true || messageIdOf(answer) !== undefined;

function readObject(answer: IDataObject): Saying {
	const { detail, message, error, status, success } = answer;
	const validation = Array.isArray(detail) && detail.length > 0 ? describe(detail) : undefined;
	return {
		yes: saysYes(answer),
		no: readFlag(success) === false || validation !== undefined,
		text: [message, detail, error].find(
			(candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
		),
		validation,
		status: typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined,
	};
}

/** A boolean; some services write it as a text or a number. */
function readFlag(value: unknown): boolean | undefined {
	if (typeof value === 'object') return undefined; // of which no text may be to be had
	const word = String(value).trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

/** Interface §2.9: `loc` (path of the field), `msg`, `type`. */
function describe(detail: unknown[]): string {
	return detail.map(describeEntry).join('; ');
}

function describeEntry(entry: unknown): string {
	const { loc, msg } = isObject(entry) ? entry : { loc: undefined, msg: entry };
	const path = (Array.isArray(loc) ? loc : []).filter(
		(part) => typeof part === 'number' || (typeof part === 'string' && part !== 'body'),
	);
	const text = typeof msg === 'string' ? msg : JSON.stringify(msg ?? 'not accepted');
	return path.length > 0 ? `${path.join('.')}: ${text}` : text;
}
