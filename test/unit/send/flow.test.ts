import { Limiter } from '../../../nodes/pace/limiter';
import { Flow } from '../../../nodes/send/runOperation';
import type { Job } from '../../../nodes/send/job';

const message = { recipient: '5511900000000' };

const jobOf = ({ request = {}, ...more }: object & { request?: object }, width: number) => {
	const account = { maxConcurrency: 100 };
	const limiter = Object.assign(new Limiter(), { width: () => width });
	return { request, account, limiter, ...more } as unknown as Job;
};

test.each<[string, object, width: number, most: number, few: number]>([
	['messages', { request: { message } }, 10, 20, 19],
	['messages of a wide account', { request: { message } }, 100, 110, 109],
	['messages with keys', { request: { message }, key: {} }, 10, 20, 10],
	['messages with keys, of a wide account', { request: { message }, key: {} }, 100, 110, 61],
	['messages with a list', { request: { message }, permissionFrom: 'w-1' }, 100, 110, 61],
	['reads', {}, 100, 10, 9],
	['messages with a file', { request: { message, readBody() {} } }, 100, 10, 9],
	['messages one at a time', { request: { message, pause: { maxMs: 1 } } }, 100, 1, 0],
	['messages without a pause', { request: { message, pause: { maxMs: 0 } } }, 9, 10, 9],
	['messages of a dry run', { request: { message }, preview: {} }, 10, 100, 0],
])('%s, %j, of width %d: up to %d are open, more once %d are', async (_, of, width, most, few) => {
	jest.spyOn(performance, 'now').mockReturnValue(0); // nothing takes time
	const flow = new Flow();
	await flow.waitToRead();
	flow.fit(jobOf(of, width));
	let open = 1;
	const settled = async () => {
		for (let each = 0; each < 500; each++) await Promise.resolve();
	};
	void (async () => {
		for (; ; open++) await flow.waitToRead();
	})();
	const close = async () => {
		flow.close();
		open--;
		await settled();
	};
	await settled();
	expect(open).toBe(most);
	for (let left = most - 1; left > few; left--) {
		await close();
		expect(open).toBe(left);
	}
	await close();
	expect(open).toBe(most);
});
