import type { IDataObject } from 'n8n-workflow';

/** Any JSON value that is a usable answer. */
export type AnswerBody = IDataObject | IDataObject[];

/** The answer's object; the SMS answer wraps it in an array (interface §2.5). */
export const firstObject = (body: AnswerBody | undefined): IDataObject =>
	(Array.isArray(body) ? body[0] : body) ?? {};

/** The objects in a list; anything else is ignored. */
export const objectList = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the service's answer, whose body the interface does not show, if there is one. */
export const withAnswer = (output: IDataObject, answer: AnswerBody | undefined): IDataObject =>
	answer === undefined ? output : { ...output, answer };
