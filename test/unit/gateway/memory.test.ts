import { BoundedMap } from '../../../nodes/gateway/memory';

let map: BoundedMap<number>;
beforeEach(() => {
	map = new BoundedMap(2);
	map.set('a', 1);
	map.set('b', 2);
});

const all = () => ['a', 'b', 'c'].map((key) => map.get(key));

test('keeps as many entries as it may', () => {
	expect(all()).toEqual([1, 2, undefined]);
});

test('forgets what was set longest ago', () => {
	map.set('a', 3);
	map.set('c', 4);
	expect(all()).toEqual([3, undefined, 4]);
});

test('has room again for what was deleted', () => {
	map.delete('a');
	map.set('c', 4);
	expect(all()).toEqual([undefined, 2, 4]);
});
