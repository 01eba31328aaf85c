import { refused, refusedForNow, unknown, type Outcome } from '../../../nodes/service/outcome';
import { Places } from '../../../nodes/pace/pool';

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

test('places that bring no more answers are tried for two rounds; after a pause, more are found', async () => {
	const places = await use();
	const rates = [1, 1, 1.2, 1.37, 1.37, 9];
	const sizes = rates.map((rate) => fill(places, (100 * places.size) / rate));
	expect(sizes).toEqual([15, 15, 22, 22, 22, 22]);
	jest.advanceTimersByTime(20_000);
	await use(places);
	expect([fill(places), fill(places)]).toEqual([33, 49]);
});
