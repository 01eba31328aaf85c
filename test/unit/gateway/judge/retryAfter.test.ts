import fc from 'fast-check';

import { judgeAnswer, parseRetryAfter } from '../../../../nodes/gateway/judge/answer';
import { headers } from '../../support/answers';

const now = Date.UTC(2030, 0, 1);

test.each([
	['0', 0],
	['7', 7_000],
	[' 1.5 ', 1_500],
	[2, 2_000],
	['12.75', 12_750],
	['\t3', 3_000],
	['7 soon', undefined],
	['about 7', undefined],
	['7.', undefined],
	['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
	['Mon, 31 Dec 2029 23:59:00 GMT', 0],
	['soon', undefined],
	['', undefined],
	[['1'], undefined],
	[undefined, undefined],
	['9'.repeat(400), undefined],
])('Retry-After %j is %j ms', (value, ms) => {
	expect(parseRetryAfter({ 'retry-after': value }, now)).toBe(ms);
});

test.each([429, 503])('is part of the outcome of status %d', (statusCode) => {
	const answer = { statusCode, headers: { 'retry-after': '3' }, body: '' };
	expect(judgeAnswer(answer, 'sent', String)).toMatchObject({
		kind: 'refused',
		forNow: true,
		retryAfterMs: 3_000,
	});
});

test('is never negative or infinite, whatever the header says', () => {
	fc.assert(
		fc.property(headers, (any) => {
			const ms = parseRetryAfter(any) ?? 0;
			expect(ms).toBeGreaterThanOrEqual(0);
			expect(ms).toBeLessThan(Infinity);
		}),
	);
});
