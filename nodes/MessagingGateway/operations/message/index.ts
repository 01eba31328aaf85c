import type { Resource } from '../../operation';
import { sendAndWait } from './sendAndWait';
import { sendAudio } from './sendAudio';
import { sendMedia } from './sendMedia';
import { sendSms } from './sendSms';

export const message: Resource = {
	value: 'message',
	name: 'Message',
	operations: [sendAudio, sendMedia, sendSms, sendAndWait],
	defaultOperation: sendSms.value,
};
