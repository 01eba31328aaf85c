/** 'Schedule At' in its forms, and what each kind of send makes of it. */
import type { IDataObject } from 'n8n-workflow';
import { sends, useGateway } from './support';

const gateway = useGateway();

/** The field that carries the time, per send: undefined where it is left out. */
async function scheduled(scheduleAt: string, timezone?: string, credential?: IDataObject) {
	const options = { scheduleAt };
	for (const id of sends) {
		const { error } = await gateway.run(id, { options, timezone, credential });
		expect(error).toBeUndefined();
	}
	type Body = { message?: Body; schedule?: string; scheduled_at?: string };
	const [media, audio, sms] = gateway.sandbox.requests().map(({ body }) => body as Body);
	return { media: media?.message?.scheduled_at, audio: audio?.scheduled_at, sms: sms?.schedule };
}

describe("'Schedule At'", () => {
	const saoPaulo = ['2030-01-02 03:04:05', '2030-01-02T03:04:05-03:00'];
	const newYork = ['2030-01-02 01:04:05', '2030-01-02T01:04:05-05:00'];
	it.each([
		['2030-01-02T03:04:05', 'America/Sao_Paulo', saoPaulo],
		['2030-01-02 03:04:05', 'America/Sao_Paulo', saoPaulo],
		['2030-01-02T03:04:05.000-03:00', 'America/Sao_Paulo', saoPaulo],
		['2030-01-02T06:04:05Z', 'America/Sao_Paulo', saoPaulo],
		['2030-01-02T03:04:05-03:00', undefined, newYork],
		['={{ "2030-01-02T06:04:05Z" }}', undefined, newYork],
		['={{ DateTime.fromISO("2030-01-02T06:04:05Z") }}', 'America/Sao_Paulo', saoPaulo],
		['={{ DateTime.local(2030, 1, 2, 3, 4, 5) }}', 'America/Sao_Paulo', saoPaulo],
		['={{ new Date("2030-01-02T06:04:05Z") }}', 'America/Sao_Paulo', saoPaulo],
		['2030-07-02T03:04:05', undefined, ['2030-07-02 03:04:05', '2030-07-02T03:04:05-04:00']],
	])('%s in %s', async (scheduleAt, timezone, [sms, iso]) => {
		expect(await scheduled(scheduleAt, timezone)).toEqual({ media: iso, audio: iso, sms });
	});

	it.each(['', '={{ "" }}'])('%j does not schedule', async (scheduleAt) => {
		expect(await scheduled(scheduleAt)).toEqual({ media: '' });
	});

	it.each(['={{ undefined }}', '={{ $json.sendAt }}', '={{ null }}'])(
		'%s gives an item nothing: it is not sent at once instead',
		async (scheduleAt) => {
			const { error } = await gateway.run('sendSms', { options: { scheduleAt } });
			expect(error?.message).toBe("'Schedule At' has no value");
			expect(gateway.sandbox.requests()).toEqual([]);
		},
	);

	it.each(['2020-01-02T03:04:05', '={{ $now.minus({ hours: 25 }) }}'])(
		'%s is long past: it is not sent at once instead',
		async (scheduleAt) => {
			const { error } = await gateway.run('sendSms', { options: { scheduleAt } });
			expect(error?.message).toMatch(/^'Schedule At' is in the past: '\d/);
			expect(gateway.sandbox.requests()).toEqual([]);
		},
	);

	it('a moment ago is sent', async () => {
		const sent = await scheduled('={{ $now.minus({ hours: 23 }) }}');
		expect(sent.sms).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
	});

	it('of an SMS is in the zone that the credential names, of the others it has an offset', async () => {
		const credential = { smsScheduleTimezone: 'UTC' };
		const time = '2030-01-02T03:04:05';
		expect(await scheduled(time, 'America/Sao_Paulo', credential)).toEqual({
			media: `${time}-03:00`,
			audio: `${time}-03:00`,
			sms: '2030-01-02 06:04:05',
		});
		gateway.sandbox.reset();
		const options = { scheduleAt: time };
		const unknown = { smsScheduleTimezone: 'Mars' };
		const { error } = await gateway.run('sendSms', { options, credential: unknown });
		expect(error?.message).toContain("'SMS Schedule Timezone' in the Messaging Gateway credential");
		expect(gateway.sandbox.requests()).toEqual([]);
	});

	it.each(['tomorrow', '2030-13-45', '02/01/2030', '={{ {} }}', '={{ 1893553445000 }}'])(
		'%s is no time',
		async (scheduleAt) => {
			const { error } = await gateway.run('sendSms', { options: { scheduleAt } });
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringMatching(
					/^'Schedule At' is not a date and time(: '|, but an object$)/,
				),
				context: { itemIndex: 0 },
			});
			expect(gateway.sandbox.requests()).toEqual([]);
		},
	);
});
