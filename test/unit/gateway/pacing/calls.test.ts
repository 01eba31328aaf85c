import { setImmediate as turn } from 'node:timers/promises';

import { Calls } from '../../../../nodes/gateway/pacing/queues';
import { afterCalls } from '../../support/store';

let made: string[][];
/** Lets the call under way return, or fail. */
let end: (failure?: Error) => void;
let calls: Calls<string, string>;

beforeEach(() => {
	made = [];
	calls = new Calls(async (questions) => {
		made.push(questions);
		await new Promise<void>((resolve, reject) => {
			end = (failure) => (failure ? reject(failure) : resolve());
		});
		return questions.map((each) => (each === 'bad' ? new Error('Not that') : `${each}!`));
	});
});

/** Asks each question; gives the answers so far, a failure as its message. */
function ask(...questions: string[]): string[] {
	const answers: string[] = [];
	for (const each of questions) {
		const asked = calls.ask(each).catch(({ message }: Error) => message);
		void asked.then((answer) => answers.push(answer));
	}
	return answers;
}

test('questions wait until somebody wants a call, which takes those just asked, too', async () => {
	const answers = ask('a', 'b');
	await afterCalls();
	expect([made, calls.waiting]).toEqual([[], 2]);
	void calls.flush();
	ask('c');
	await afterCalls();
	expect([made, calls.waiting, answers]).toEqual([[['a', 'b', 'c']], 0, []]);
	end();
	await turn();
	expect(answers).toEqual(['a!', 'b!']);
});

test.each([
	['wanted before the call began', true, []],
	['wanted during the call', false, [['b', 'c']]],
	['not wanted', undefined, []],
])('one call is under way at a time; another one %s', async (_, isEarly, next) => {
	ask('a');
	void calls.flush();
	if (isEarly) void calls.flush();
	await afterCalls();
	const later = ask('b', 'c');
	if (isEarly === false) {
		void calls.flush();
		void calls.flush();
	}
	await afterCalls();
	expect(made).toEqual([['a']]);
	end();
	await afterCalls();
	expect(made).toEqual([['a'], ...next]);
	if (next.length === 0) void calls.flush(); // the others are not lost
	await afterCalls();
	end();
	await afterCalls();
	expect(later).toEqual(['b!', 'c!']);
	expect(made).toEqual([['a'], ['b', 'c']]);
});

test.each([
	['one of them, alone', undefined, ['a!', 'Not that', 'b!']],
	['the whole call, all of them', new Error('Down'), ['Down', 'Down', 'Down']],
])('a failure is the answer to: %s; and the next call is made', async (_, failure, expected) => {
	for (let time = 0; time < 2; time++) {
		const answers = ask('a', 'bad', 'b');
		const flushed = calls.flush();
		await afterCalls();
		end(failure);
		await flushed;
		await turn();
		expect(answers).toEqual(expected);
	}
	expect(made).toHaveLength(2);
});

test('a flush ends when no call is under way any more, at once if nothing waits', async () => {
	let ended = 0;
	const flush = () => void calls.flush().then(() => ended++);
	flush();
	await turn();
	expect([ended, made]).toEqual([1, []]);
	ask('a');
	flush();
	await afterCalls();
	flush(); // nothing waits, but a call is under way
	await afterCalls();
	expect(ended).toBe(1);
	end();
	await afterCalls();
	flush();
	await turn();
	expect([ended, made]).toEqual([4, [['a']]]);
});
