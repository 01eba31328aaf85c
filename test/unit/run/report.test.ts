import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { Report } from '../../../nodes/MessagingGateway/run/report';
import { makeContext, node } from '../support/context';

const report = (itemCount: number, continueOnFail = false) =>
	new Report(makeContext({ continueOnFail }), itemCount);

const refusal = (message: string, itemIndex?: number) =>
	new NodeApiError(node, {}, { message, description: 'Do this.', httpCode: '400', itemIndex });

const thrownBy = (made: Report) => {
	try {
		made.result();
	} catch (error) {
		return error as NodeApiError;
	}
	throw new Error('Nothing was thrown');
};

test('output is in input order, every item paired with its input', () => {
	const made = report(3);
	made.succeed(2, [{ id: 'c' }]);
	made.skip(1, { skipped: true });
	made.succeed(0, [{ id: 'a1' }, { id: 'a2' }]);
	expect(made.result()).toEqual([
		[
			{ json: { id: 'a1' }, pairedItem: { item: 0 } },
			{ json: { id: 'a2' }, pairedItem: { item: 0 } },
			{ json: { skipped: true }, pairedItem: { item: 1 } },
			{ json: { id: 'c' }, pairedItem: { item: 2 } },
		],
	]);
});

test('with continue on fail, a failed item has only the keys that n8n takes for an error', () => {
	const made = report(3, true);
	made.fail(1, refusal('No'), 'refused');
	made.fail(2, new NodeOperationError(node, 'Unreadable'), 'unknown');
	made.succeed(0, []);
	expect(made.result()).toEqual([
		[
			{
				json: {
					error: 'No',
					message: 'Do this.',
					details: { outcome: 'refused', httpCode: '400' },
				},
				pairedItem: { item: 1 },
			},
			{ json: { error: 'Unreadable', details: { outcome: 'unknown' } }, pairedItem: { item: 2 } },
		],
	]);
});

test('of one item, the error is thrown as it is', () => {
	const made = report(1);
	const error = refusal('No', 0);
	made.fail(0, error, 'refused');
	expect(thrownBy(made)).toBe(error);
	expect(error.description).toBe('Do this.');
});

test('the error of the first failure says what was accepted, what else failed and what was not started', () => {
	const made = report(6);
	made.succeed(4, [{}], 'id-4');
	made.fail(3, refusal('Second', 3), 'unknown');
	made.fail(1, refusal('Third', 1), 'refused');
	made.succeed(0, [{}]);
	const error = thrownBy(made);
	expect(error.message).toBe('Second');
	expect(error.description).toBe(
		'Do this. Accepted: 2 of 6 items (item 0, item 4: id-4). Item 1: Third. Not started: 2 items.',
	);
	expect(error.context.data).toEqual({
		accepted: [{ item: 0 }, { item: 4, messageId: 'id-4' }],
		failed: [{ item: 1, error: 'Third', outcome: 'refused' }],
	});
});

test('a description names at most 100 messages, the data all', () => {
	const made = report(151);
	for (let item = 0; item < 150; item++) made.succeed(item, [{}], `id-${item}`);
	made.fail(150, refusal('No'), 'refused');
	const error = thrownBy(made);
	expect(error.description).toContain('Accepted: 150 of 151 items (item 0: id-0, ');
	expect(error.description).toContain('item 99: id-99 and 50 more).');
	expect(error.description).not.toContain('Not started');
	expect(error.context.data).toMatchObject({ accepted: { length: 150 } });
});

test.each([
	[new UserError('Bad', { description: 'Fix it.' }), 'Bad'],
	[new TypeError('Cannot read properties'), 'Cannot read properties'],
	['text', 'text'],
	[undefined, 'undefined'],
])('%p, thrown, becomes an error of n8n with its item', (cause, message) => {
	const made = report(2);
	made.fail(1, cause, 'refused');
	const error = thrownBy(made);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.message).toBe(message);
	expect(error.context.itemIndex).toBe(1);
});

test('what was skipped, and what is too much to list, is counted', () => {
	const made = report(40);
	made.fail(0, refusal('First', 0), 'unknown');
	for (let item = 1; item <= 20; item++) {
		made.fail(item, refusal('No', item), item <= 12 ? 'refused' : 'unknown');
	}
	for (let item = 21; item <= 25; item++) made.skip(item, { skipped: true });
	const { description } = thrownBy(made);
	expect(description).toContain(
		'Accepted: 0 of 40 items. Skipped: 5 items whose key was accepted before. Item 1: No.',
	);
	expect(description).toContain(
		'Item 10: No. 2 more items were not accepted. 8 more items have no usable answer and may have been accepted. Not started: 14 items.',
	);
});
