import { boundedMap } from '../../../nodes/MessagingGatewayTrigger/secret/cache';

test('forgets what was set longest ago', () => {
	const map = boundedMap<number>(2);
	map.set('a', 1);
	map.set('b', 2);
	map.set('a', 3);
	map.set('c', 4);
	expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
});
