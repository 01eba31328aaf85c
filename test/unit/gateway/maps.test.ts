import { inProcess } from '../../../nodes/gateway/maps';

const latest = inProcess.map<number>(2);
beforeEach(() => {
	inProcess.clear();
	latest.set('a', 1);
	latest.set('b', 2);
});

const all = () => ['a', 'b', 'c'].map((key) => latest.get(key));

test('keeps as many entries as it may', () => {
	expect(all()).toEqual([1, 2, undefined]);
	expect([latest.has('b'), latest.has('c')]).toEqual([true, false]);
});

test('forgets what was set longest ago', () => {
	latest.set('a', 3);
	latest.set('c', 4);
	expect(all()).toEqual([3, undefined, 4]);
});

test('has room again for what was deleted', () => {
	latest.delete('a');
	latest.set('c', 4);
	expect(all()).toEqual([undefined, 2, 4]);
});

test('without a limit forgets nothing', () => {
	const underWay = inProcess.map<number>(Infinity);
	for (let count = 0; count < 10_000; count++) underWay.set(String(count), count);
	expect(underWay.get('0')).toBe(0);
});

test('can forget everything', () => {
	inProcess.clear();
	expect(all()).toEqual([undefined, undefined, undefined]);
});
