import { refused, refusedForNow, unknown, type Outcome } from '../../../../nodes/gateway/outcome';
import { Width } from '../../../../nodes/gateway/pacing/width';

const accepted: Outcome = { kind: 'accepted', body: {} };
const tooMany = refusedForNow({ kind: 'tooManyRequests' });
const own = { ...tooMany, own: true } as Outcome;
const busy = refusedForNow({ kind: 'unavailable' });
const reset = unknown({ kind: 'noAnswer' });

/** Answers a request that comes at a time, with so many under way. */
type Service = (now: number, underWay: number) => { ms: number; outcome?: Outcome };

const patient: Service = () => ({ ms: 100 });

const above =
	(most: number, outcome: Outcome): Service =>
	(now, underWay) =>
		underWay > most ? { ms: 5, outcome } : patient(now, underWay);

/** Sends so many messages as the width allows. Gives each width on the way, and what came of them. */
function send(service: Service, { count = 1_000, most = 100, taken = 0, ceiling = Infinity } = {}) {
	const width = new Width(most, { taken, ceiling });
	const underWay: Array<{ at: number; outcome: Outcome }> = [];
	const widths = [width.current];
	const counts = { accepted: 0, refused: 0, unknown: 0 };
	let now = 0;
	width.begin(now);
	for (let left = count; left > 0 || underWay.length > 0;) {
		for (; left > 0 && underWay.length < width.current; left--) {
			const { ms, outcome = accepted } = service(now, underWay.length + 1);
			underWay.push({ at: now + ms, outcome });
		}
		const { at, outcome } = underWay.sort((one, other) => one.at - other.at).shift()!;
		now = at;
		counts[outcome.kind]++;
		if (outcome.kind === 'refused') left++; // it is sent again
		width.note(outcome, now);
		if (width.current !== widths.at(-1)) widths.push(width.current);
	}
	const { recentWidth } = width;
	return { widths, widest: Math.max(...widths), seconds: now / 1000, recentWidth, ...counts };
}

test.each([
	['with the usual width', {}, [10, 15, 22, 33, 49, 73, 100]],
	['with what was taken lately', { taken: 61 }, [61, 91, 100]],
	['and not beyond the maximum', { most: 12 }, [10, 12]],
	['even if that is below the usual width', { most: 3, taken: 61 }, [3]],
])('begins %s, and grows by half while that brings more', (_, options, expected) => {
	expect(send(patient, options).widths).toEqual(expected);
});

test('a service that resets above 30 at a time loses few, and nothing is tried again', () => {
	const { widths, unknown: lost } = send(above(30, reset));
	expect(lost).toBeLessThanOrEqual(4);
	expect(widths.at(-1)).toBe(10);
	expect(widths.filter((width) => width > 30)).toHaveLength(1);
});

test.each([
	['resets', reset, 4],
	['refuses', tooMany, Infinity],
])('what %s above 30 at a time gets no more than that from the next runs', (_, outcome, most) => {
	const first = send(above(30, outcome));
	const next = send(above(30, outcome), first.recentWidth);
	expect(next.unknown).toBe(0);
	expect(next.widest).toBeLessThanOrEqual(30);
	expect(first.unknown).toBeLessThanOrEqual(most);
});

const times = (count: number, outcome: Outcome) => Array<Outcome>(count).fill(outcome);

test.each<[string, Outcome[], number]>([
	['a limit', [tooMany], 28],
	['a limit, once for those under way together', times(40, tooMany), 28],
	['a limit, again for those after them', times(42, tooMany), 19],
	['limits until one is left', times(1_000, busy), 1],
	['no answer', [reset], 10],
	['no answer, whatever comes next', [reset, ...times(300, accepted)], 10],
	['no answer after a limit', [tooMany, reset], 10],
	['a refusal of another kind', [refused({ kind: 'rejected' })], 40],
	['a limit that is its recipient’s own', [own], 40],
	['two of them in a round', [own, own], 28],
])('of 40 after %s', (_, outcomes, expected) => {
	const width = new Width(100, { taken: 40, ceiling: Infinity });
	width.begin(0);
	outcomes.forEach((outcome, at) => width.note(outcome, at + 1)); // one a millisecond
	expect(width.current).toBe(expected);
});

test.each<[string, rates: Array<number | 'limit'>, widths: number[]]>([
	['rises enough', [1, 1.2, 1.4], [15, 22, 33]],
	['rises too little', [1, 1.14, 1.14, 9], [15, 15, 15, 15]],
	['rises after one round in vain', [1, 1, 1.2, 1.2, 1.4], [15, 15, 22, 22, 33]],
	['rises only after two rounds in vain', [1, 0.9, 1.1, 2], [15, 15, 15, 15]],
	['was higher before a limit', [2, 2.4, 'limit', 1, 1], [15, 22, 15, 15, 19]],
])('where the rate of answers %s', (_, rates, expected) => {
	const width = new Width(100);
	let now = 0;
	width.begin(now);
	let round = width.current;
	const widths = rates.map((rate) => {
		if (rate === 'limit') width.note(tooMany, now);
		else {
			for (; round > 0; round--) width.note(accepted, (now += 1000 / rate));
			round = width.current; // after a limit instead as many as were under way
		}
		return width.current;
	});
	expect(widths).toEqual(expected);
});

test('says when it has changed', () => {
	const width = new Width(12);
	width.begin(0);
	const said = [...times(30, accepted), tooMany, reset].map((each, at) => width.note(each, at + 1));
	expect(said.flatMap((hasChanged, at) => (hasChanged ? [at] : []))).toEqual([9, 30, 31]);
});
