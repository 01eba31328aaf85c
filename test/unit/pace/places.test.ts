import { refused, refusedForNow, unknown, type Outcome } from '../../../nodes/service/outcome';
import { Places } from '../../../nodes/pace/places';

const accepted: Outcome = { kind: 'accepted', body: {} };
const tooMany = refusedForNow({ kind: 'tooManyRequests' });
const own = { ...tooMany, own: true } as Outcome;
/** Of a recipient that was refused before. */
const again = { ...own };
const reset = unknown({ kind: 'noAnswer' });

beforeEach(() => jest.useFakeTimers());

const hourMs = 60 * 60_000;
const times = (count: number, outcome: Outcome) => Array<Outcome>(count).fill(outcome);

/** Uses places, which may be new ones. */
async function use(places = new Places(100)): Promise<Places> {
	(await places.take(Promise.resolve()))();
	return places;
}

/** Fills all places with requests, which end together. Returns how many places there are then. */
function fill(
	places: Places,
	ms = 100,
	outcomes = times(Math.min(places.size, 100), accepted),
): number {
	const leftAt = performance.now();
	jest.advanceTimersByTime(ms);
	for (const outcome of outcomes) places.note(outcome, leftAt, outcome !== again);
	return places.size;
}

/** Makes 49 places, which have answered as many requests. */
async function growTo49(): Promise<Places> {
	const places = await use();
	while (places.size < 49) fill(places);
	return places;
}

test.each([
	['ten at first', 100, [10, 15, 22, 33, 49, 73, 100, 100]],
	['as many as the user allows', 12, [10, 12, 12]],
	['no more than those, even if they are few', 3, [3, 3, 3]],
	['one for each request without such a limit', Infinity, [Infinity, Infinity]],
])('there are %s, and half more while that brings more', async (_, most, expected) => {
	const places = await use(new Places(most));
	expect([places.size, ...expected.slice(1).map(() => fill(places))]).toEqual(expected);
});

test.each<[string, Outcome[], number]>([
	['one refusal of a recipient', [own], 49],
	['more of the same one', [own, ...times(8, again)], 49],
	['two in a round', [own, own], 34],
	['two, once for those under way together', times(40, own), 34],
	['what the rate is for', times(10, tooMany), 49],
	['no answer', [reset], 10],
	['no answer, and acceptances', [reset, ...times(300, accepted)], 10],
	['a refusal of another kind', times(9, refused({ kind: 'rejected' })), 49],
])('of 49, there are after %s', async (_, outcomes, expected) => {
	expect(fill(await growTo49(), 100, outcomes)).toBe(expected);
});

test.each<[string, Outcome, number]>([
	['refused requests', own, 44],
	['left some without an answer', reset, 32],
])('where the service %s is not tried again within an hour', async (_, outcome, most) => {
	const places = await growTo49();
	fill(places, 100, [outcome, outcome]);
	for (let round = 0; round < 30; round++) fill(places);
	expect(places.size).toBe(most);
	jest.advanceTimersByTime(hourMs);
	await use(places);
	for (let round = 0; round < 3; round++) fill(places);
	expect(places.size).toBeGreaterThan(49);
});

test.each<[string, rates: number[], sizes: number[]]>([
	['rises enough', [1, 1.2, 1.4], [15, 22, 33]],
	['rises too little', [1, 1.14, 1.14, 9], [15, 15, 15, 15]],
	['rises after one round in vain', [1, 1, 1.2, 1.2, 1.4], [15, 15, 22, 22, 33]],
	['rises only after two rounds in vain', [1, 0.9, 1.1, 2], [15, 15, 15, 15]],
])('where the rate of answers %s, the places follow', async (_, rates, expected) => {
	const places = await use();
	expect(rates.map((rate) => fill(places, (100 * places.size) / rate))).toEqual(expected);
});

test('a list may find more places after a pause than the one before', async () => {
	const places = await use();
	for (let round = 0; round < 9; round++) fill(places, 10 * places.size);
	expect(places.size).toBe(15);
	jest.advanceTimersByTime(20_000);
	await use(places);
	expect([fill(places), fill(places)]).toEqual([22, 33]);
});

test('answers that come together are no round before one request has left and come back', async () => {
	const places = await use();
	const leftAt = performance.now();
	jest.advanceTimersByTime(100);
	for (let each = 0; each < 40; each++) places.note(accepted, leftAt, true);
	expect(places.size).toBe(15);
});
