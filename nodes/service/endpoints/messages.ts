import type { IDataObject } from 'n8n-workflow';

import { chatAppPath, type Account } from '../../account/account';
import { textOf } from '../../text/values';
import type { components } from '../interface';
import { firstObject, messageIdNames, type AnswerBody } from '../outcome';
import type { GatewayRequest } from '../request';

/** Interface §4.5. @param more fields that the interface does not show */
export function postSms(message: components['schemas']['SmsRequest'], more: IDataObject = {}) {
	const body: IDataObject = Object.assign(message, more);
	return { method: 'POST', path: '/v1/sms/enviar', expected: 'sent', body } as const;
}

/** Interface §2.2. */
export type MediaMessage = Required<components['schemas']['MediaMessage']>;

/** Interface §4.3. @param more fields that the interface does not show @throws as `chatAppPath` */
export const postMedia = (
	account: Account,
	message: MediaMessage,
	more: IDataObject,
): GatewayRequest => ({
	method: 'POST',
	path: chatAppPath(account, '/message/sendMedia'),
	expected: 'sent',
	pause: account.chatAppPause,
	body: { messagetype: 'media', message: { ...message, ...more } },
});

interface AudioContent {
	to: string;
	mimeType: string;
	mode: 'private' | 'shared';
	/** ISO 8601. */
	schedule?: string;
	/** The size of the file, in bytes. */
	size: number;
	read(): Promise<Buffer>;
}

/** A file of more bytes leaves alone: on its way, it takes several times its size in memory. */
const largeFileBytes = 1024 * 1024;

/** Interface §4.4. The service paces its shared instance itself. @throws as `chatAppPath` */
export function postAudio(
	account: Account,
	{ to, mimeType, mode, schedule, size, read }: AudioContent,
	more: IDataObject,
): GatewayRequest {
	const body: IDataObject = {
		to,
		mimetype: mimeType,
		[`${account.chatAppName}_mode`]: mode,
		...(schedule !== undefined && { [account.audioScheduleField]: schedule }),
		...more,
	};
	return {
		method: 'POST',
		path: chatAppPath(account, '/message/sendAudio'),
		expected: 'sent',
		pause: mode === 'private' ? account.chatAppPause : undefined,
		body,
		isLarge: size > largeFileBytes,
		readBody: async () => withFile(body, 'audio_base64', await read()),
	};
}

/** Bytes to encode at a time, a multiple of 3: with its whole text, a file is in memory four times. */
const pieceBytes = 48 * 1024;

/** Returns the JSON of some fields and one more, a file as Base64. */
function withFile(fields: IDataObject, name: string, file: Buffer): Buffer {
	const start = `${JSON.stringify(fields).slice(0, -1)},"${name}":"`;
	const end = '"}';
	const length = Buffer.byteLength(start) + Math.ceil(file.length / 3) * 4 + end.length;
	const body = Buffer.alloc(length);
	let at = body.write(start);
	for (let from = 0; from < file.length; from += pieceBytes) {
		at += body.write(file.toString('base64', from, from + pieceBytes), at, 'latin1');
	}
	body.write(end, at);
	return body;
}

/** Returns the ID of a message; undefined if the answer has none. Zero and a negative number are none. */
export function messageIdOf(body: AnswerBody | undefined): string | undefined {
	const answer = firstObject(body);
	const name = messageIdNames.find((each) => !(Number(textOf(answer[each])) <= 0));
	return name && String(answer[name]);
}

/** Returns the answer to any send under the same names (interface §2.5). */
export function sentMessage(body: AnswerBody | undefined): IDataObject {
	const { status, statusmessage } = firstObject(body);
	const shownStatus = statusmessage ?? status ?? null;
	return {
		messageId: messageIdOf(body) ?? null,
		status: shownStatus,
		...(typeof status === 'number' && shownStatus !== status && { statusCode: status }),
	};
}

/** The fields of an answer that {@link sentMessage} has under its own names. */
const sentNames = new Set([...messageIdNames, 'status', 'statusmessage']);

/** Adds what else the service answered. @param reserved names of the output, whether it has them or not */
export function addAnswer(
	output: IDataObject,
	body: AnswerBody | undefined,
	reserved: ReadonlySet<string>,
): IDataObject {
	for (const [name, value] of Object.entries(firstObject(body))) {
		// `in`, so that none is taken for the object's prototype.
		if (!sentNames.has(name) && !reserved.has(name) && !(name in output)) output[name] = value;
	}
	return output;
}
