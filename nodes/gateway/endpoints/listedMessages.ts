import type { IDataObject } from 'n8n-workflow';

import { toText } from '../../text/toText';
import { objectList, type AnswerBody } from '../answerBody';
import { inProcess } from '../inProcess';
import { campaignsIn } from './campaigns';
import { messageIdOf } from './messages';

/** A message entry of interface §2.6, with the campaign that lists it. */
export interface ListedMessage {
	campaign: IDataObject;
	message: IDataObject;
}

/** What messages are found by: the ID, or the digits of the number. */
const keys = {
	messageId: (message: IDataObject) => messageIdOf(message)?.trim() ?? '',
	to: ({ to }: IDataObject) => toText(to).replace(/\D/g, ''),
};

type MessageKey = keyof typeof keys;

type Index = Map<string, ListedMessage[]>;

/** For each answer, as thousands of items may search the same one. */
const indexes = inProcess.weakMap<AnswerBody, Map<MessageKey, Index>>();

/** The messages of an answer's campaigns that have this ID or number, in the service's order. */
export function findMessages(body: AnswerBody, by: MessageKey, value: string): ListedMessage[] {
	const ofBody = indexes.get(body) ?? new Map<MessageKey, Index>();
	indexes.set(body, ofBody);
	const index = ofBody.get(by) ?? indexOf(body, by);
	ofBody.set(by, index);
	return index.get(value) ?? [];
}

function indexOf(body: AnswerBody, by: MessageKey): Index {
	const index: Index = new Map();
	for (const campaign of campaignsIn(body) ?? []) {
		for (const message of objectList(campaign.messages)) {
			const key = keys[by](message);
			const listed = { campaign, message };
			const same = index.get(key);
			if (same) same.push(listed);
			else index.set(key, [listed]);
		}
	}
	return index;
}
