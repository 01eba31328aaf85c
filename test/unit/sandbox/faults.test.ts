import { sms, useSandbox } from './http';

const { sandbox, call } = useSandbox();

const send = (to?: string) => call('POST', '/v1/sms/enviar', sms(to));

it('a reset is one for the operating system, too', async () => {
	sandbox().fault({ fault: { reset: 'beforeAccept' } });
	await expect(send()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
});

describe('a rule hits', () => {
	const statuses = async (count: number) => {
		const all = [];
		for (let index = 0; index < count; index++) all.push((await send()).status);
		return all;
	};

	it('after some, so many times', async () => {
		sandbox().fault({ skip: 1, times: 2, fault: { status: 503 } });
		expect(await statuses(4)).toEqual([200, 503, 503, 200]);
	});

	it('more than so many a second', async () => {
		sandbox().fault({ perSecond: 50, fault: { tooMany: true } });
		const begin = Date.now();
		const through = (await statuses(100)).filter((status) => status === 200).length;
		expect(through).toBeGreaterThanOrEqual(50);
		expect(through).toBeLessThanOrEqual(50 + (50 * (Date.now() - begin)) / 1000);
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(await statuses(1)).toEqual([200]);
	});

	it('more than so many at a time', async () => {
		sandbox().fault({ parallel: 1, fault: { tooMany: true } });
		sandbox().fault({ skip: 1, times: 1, fault: { delayMs: 60_000 } });
		expect(await statuses(1)).toEqual([200]);
		const open = send().catch(() => undefined);
		while (sandbox().requests().length < 2) await new Promise(setImmediate);
		expect(await statuses(2)).toEqual([429, 429]);
		expect(sandbox().requests()[1]?.status).toBeNull(); // still open: it passed, after the first
		sandbox().reset();
		await open;
	});

	it('an even share', async () => {
		sandbox().fault({ share: 0.25, fault: { status: 503 } });
		expect(await statuses(8)).toEqual([200, 200, 200, 503, 200, 200, 200, 503]);
	});

	it('one number', async () => {
		sandbox().fault({ to: '5511900100009', fault: { status: 503 } });
		expect((await send()).status).toBe(200);
		expect((await send('5511900100009')).status).toBe(503);
	});

	it('some operations, until cleared', async () => {
		sandbox().fault({ operation: ['listApiKeys', 'sendMedia'], fault: { status: 503 } });
		expect(await statuses(1)).toEqual([200]);
		expect((await call('GET', '/v1/apikeys')).status).toBe(503);
		sandbox().clearFaults();
		expect((await call('GET', '/v1/apikeys')).status).toBe(200);
	});

	it('only until the next reset, which also cuts off those who wait', async () => {
		sandbox().fault({ fault: { delayMs: 60_000 } });
		const waiting = send();
		while (sandbox().requests().length === 0) await new Promise(setImmediate);
		sandbox().reset();
		await expect(waiting).rejects.toThrow();
		expect(await statuses(1)).toEqual([200]);
		expect(sandbox().accepted()).toHaveLength(1);
	});
});
