/** 'Schedule At' in its forms, and what each kind of send makes of it. */
import type { IDataObject } from 'n8n-workflow';
import { scheduleOf, sends, useGateway } from './support';

const gateway = useGateway();

/** The times that an SMS and the other sends carry. */
async function scheduled(scheduleAt: string, timezone?: string, credential?: IDataObject) {
	const parameters = { scheduleAt };
	for (const id of sends) {
		const { error } = await gateway.run(id, { parameters, timezone, credential });
		expect(error).toBeUndefined();
	}
	const requests = gateway.sandbox.requests();
	const timesOf = (isSms: boolean) =>
		requests.filter(({ operationId }) => (operationId === 'sendSms') === isSms).map(scheduleOf);
	const others = new Set(timesOf(false)); // all alike
	return [...timesOf(true), ...others];
}

describe("'Schedule At'", () => {
	const saoPaulo = ['2030-01-02 03:04:05', '2030-01-02T03:04:05-03:00'];
	const newYork = ['2030-01-02 01:04:05', '2030-01-02T01:04:05-05:00'];
	it.each([
		['2030-01-02T03:04:05', 'America/Sao_Paulo', saoPaulo],
		['2030-01-02T06:04:05Z', 'America/Sao_Paulo', saoPaulo],
		['2030-01-02T03:04:05-03:00', undefined, newYork],
		['={{ "2030-01-02T06:04:05Z" }}', undefined, newYork],
		['={{ DateTime.fromISO("2030-01-02T06:04:05Z") }}', 'America/Sao_Paulo', saoPaulo],
		['={{ DateTime.local(2030, 1, 2, 3, 4, 5) }}', 'America/Sao_Paulo', saoPaulo],
		['={{ new Date("2030-01-02T06:04:05Z") }}', 'America/Sao_Paulo', saoPaulo],
		['2030-07-02T03:04:05', undefined, ['2030-07-02 03:04:05', '2030-07-02T03:04:05-04:00']],
	])('%s in %s', async (scheduleAt, timezone, times) => {
		expect(await scheduled(scheduleAt, timezone)).toEqual(times);
	});

	it.each(['', '={{ "" }}'])('%j does not schedule', async (scheduleAt) => {
		expect(await scheduled(scheduleAt)).toEqual(['', '']);
	});

	it('of an SMS is in the zone that the credential names, of the others it has an offset', async () => {
		const credential = { smsScheduleTimezone: 'UTC' };
		const time = '2030-01-02T03:04:05';
		expect(await scheduled(time, 'America/Sao_Paulo', credential)).toEqual([
			'2030-01-02 06:04:05',
			`${time}-03:00`,
		]);
	});
});
