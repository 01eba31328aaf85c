import { describeMs } from '../../../nodes/text/describeMs';

test.each([
	[60_001, '2 minutes'],
	[300_000, '5 minutes'],
	[7_140_000, '119 minutes'],
	[7_200_000, '2 hours'],
	[7_200_001, '3 hours'],
])('%d ms are %s', (ms, text) => expect(describeMs(ms)).toBe(text));
