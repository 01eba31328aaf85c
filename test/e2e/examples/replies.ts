/**
 * What people answer to messages, in six languages, with what they mean: 155 replies, half of them from
 * somebody who had not seen the workflow that reads them.
 */
import byMeaning from './replies.json';

export const replies = Object.entries(byMeaning).flatMap(([meaning, texts]) =>
	texts.map((text) => ({ text, meaning: meaning as keyof typeof byMeaning })),
);
