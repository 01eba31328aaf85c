import fc from 'fast-check';
import { DateTime } from 'luxon';

import {
	formatForSms,
	formatIso,
	inSmsZone,
	parseTime,
	scheduleAtField,
} from '../../../../nodes/form/fields/scheduleAt';
import { credential } from '../../../../tools/shared/context';
import { makeItem } from '../../../../tools/shared/item';

const zone = 'America/Sao_Paulo';
const both = (value: unknown, inZone = zone) => {
	const time = parseTime(value, inZone);
	return time && [formatForSms(time), formatIso(time)];
};
const inSaoPaulo = ['2030-12-31 09:30:00', '2030-12-31T09:30:00-03:00'];

test.each<[string, unknown]>([
	['the date-time picker', '2030-12-31T09:30:00'],
	['an offset', '2030-12-31T13:30:00+01:00'],
	['milliseconds', '2030-12-31T12:30:00.000Z'],
	['SQL', '2030-12-31 09:30:00'],
	['spaces around it', ' 2030-12-31T09:30 '],
	['a luxon DateTime', DateTime.fromISO('2030-12-31T12:30:00Z')],
	['a DateTime of Tokyo', DateTime.fromISO('2030-12-31T21:30:00', { zone: 'Asia/Tokyo' })],
	['a Date', new Date('2030-12-31T12:30:00Z')],
])('%s', (_, value) => {
	expect(both(value)).toEqual(inSaoPaulo);
});

const read = async (scheduleAt: unknown, more: Parameters<typeof makeItem>[1] = {}) =>
	scheduleAtField.read(await makeItem({ scheduleAt }, more));

test.each<[string, ...unknown[]]>([
	['', 'tomorrow', '31/12/2030', '2030-13-01', '2030-02-30', '2030-12-31T25:00', '09:30', '10'],
	['', '+002030-12-31T09:30', 'on 2030-12-31 09:30', true, 12, new Date(NaN)],
	['', DateTime.invalid('x')],
	[', but an object', {}, [{}], [1, {}], { toString: 1, valueOf: 1 }],
])("'Schedule At' is not a date and time%s: %j", async (what, ...values) => {
	for (const value of values) {
		await expect(read(value)).rejects.toThrow(`'Schedule At' is not a date and time${what}`);
	}
});

test.each<unknown>(['  ', []])('%p is empty', async (value) => {
	await expect(read(value)).rejects.toThrow("'Schedule At' is empty");
});

test.each([undefined, null, ''])('%j is no time, unless its expression gives it', async (value) => {
	expect(await read(value)).toBeUndefined();
	const expression = { parameters: { scheduleAt: '={{ $json.sendAt }}' } };
	if (value === '') expect(await read(value, expression)).toBeUndefined();
	else
		await expect(read(value, expression)).rejects.toThrow(
			"The expression in 'Schedule At' returned nothing",
		);
});

describe('the past', () => {
	const at = '2030-05-06T09:00:00-03:00';
	const expression = { parameters: { scheduleAt: '={{ $json.at }}' } };

	/** Reads a time so many minutes after it, in a run that began as many minutes ago. */
	async function readLate(minutes: number, ago = 0, more = {}) {
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(at) + minutes * 60_000);
		try {
			const item = await makeItem({ scheduleAt: at }, more);
			clock.mockReturnValue(Date.now() + ago * 60_000);
			return scheduleAtField.read(item)?.toMillis();
		} finally {
			clock.mockRestore();
		}
	}

	test.each([0, 15])('is now for %j minutes', async (minutes) => {
		expect(await readLate(minutes)).toBe(Date.parse(at));
		expect(await readLate(minutes, 0, expression)).toBe(Date.parse(at));
	});

	test.each([16, 60, 23 * 60, 48 * 60])('is refused after %j minutes', async (minutes) => {
		await expect(readLate(minutes)).rejects.toThrow(`'Schedule At' is in the past: '${at}'`);
		await expect(readLate(minutes, 0, expression)).rejects.toThrow('in the past');
	});

	test('is judged by the beginning of the run, however long its list is', async () => {
		expect(await readLate(-1, 600)).toBe(Date.parse(at));
	});

	test('the hint says how to send late ones', async () => {
		await expect(readLate(60, 0, expression)).rejects.toMatchObject({
			description: expect.stringContaining('{{ DateTime.max($now, DateTime.fromISO('),
		});
	});
});

test.each([
	['25/12/2030 09:00', "{{ DateTime.fromFormat($json.date, 'd/M/yyyy H:mm') }}"],
	['soon', "{{ DateTime.fromFormat($json.date, 'd/M/yyyy H:mm') }}"],
	[1924434000, "{{ $json.date.toDateTime('s') }}"],
	['1924434000000', "{{ $json.date.toDateTime('ms') }}"],
	[47842.375, "Format a spreadsheet's column as text"],
])('%j is refused with what makes it a time: %s', async (date, hint) => {
	await expect(read(date)).rejects.toMatchObject({ description: expect.stringContaining(hint) });
});

test.each(['2030-12-31', ' 2030-12-31 '])('a date alone asks for a time: %j', async (text) => {
	await expect(read(text)).rejects.toMatchObject({
		message: "'Schedule At' has no time of day: '2030-12-31'",
		description: expect.stringContaining('e.g. 2030-12-31T09:30:00'),
	});
});

test.each(['12/3/2030 9:00 AM', '12/25/2030 9:00 AM', '25/12/2030 09:00'])(
	'%j may have its day or its month first: the hint has both ways',
	async (date) => {
		await expect(read(date)).rejects.toMatchObject({
			description: expect.stringMatching(/the day comes first, .*'d\/M\/.*the month does, 'M\/d\//),
		});
	},
);

test.each([
	DateTime.fromISO('2130-12-31', { zone }),
	DateTime.fromISO('2130-12-31', { zone }).toJSDate(),
])('a DateTime at midnight is a date without a time: %s', async (day) => {
	await expect(read(day)).rejects.toMatchObject({
		message: "'Schedule At' has no time of day: '2130-12-31'",
		description: expect.stringContaining('{{ $today.plus({ days: 1 }).set({ hour: 9 }) }}'),
	});
	expect((await read('2130-12-31T00:00'))?.hour).toBe(0);
});

describe('the zone of an SMS', () => {
	const inZone = async (smsScheduleTimezone: string, scheduleAt = '2030-12-31T09:30:00') => {
		const account = { credential: { ...credential, smsScheduleTimezone } };
		const item = await makeItem({ scheduleAt }, account);
		return formatForSms(inSmsZone(item, scheduleAtField.read(item)!));
	};
	test.each([
		['', '2030-12-31 09:30:00'],
		['UTC', '2030-12-31 12:30:00'],
		[' Asia/Tokyo ', '2030-12-31 21:30:00'],
	])('%j: %s', async (zoneOfService, time) => {
		expect(await inZone(zoneOfService)).toBe(time);
	});

	// The schedule of an SMS has no offset.
	test.each(['2030-11-03T01:30:00-04:00', '2030-11-03T01:30:00-05:00'])(
		'%s, which its clock shows twice, is refused with the hours around it',
		async (time) => {
			await expect(inZone('America/New_York', time)).rejects.toMatchObject({
				message: `The clock in America/New_York shows the time of this SMS twice: '${time}'`,
				description: expect.stringContaining(
					'for 2030-11-03T00:30:00-04:00 or 2030-11-03T02:30:00-05:00',
				),
			});
		},
	);
});

const zones = fc.constantFrom(
	...['UTC', zone, 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Chatham'],
);
const instant = fc
	.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
	.map((date) => Math.floor(date.getTime() / 1000) * 1000);

test('any instant, written in any zone, is sent as that instant', () => {
	fc.assert(
		fc.property(instant, zones, zones, (ms, enteredIn, workflowZone) => {
			const entered = DateTime.fromMillis(ms, { zone: enteredIn });
			for (const value of [entered, entered.toISO(), entered.toJSDate()]) {
				const time = parseTime(value, workflowZone)!;
				expect(DateTime.fromISO(formatIso(time)).toMillis()).toBe(ms);
				// The SMS shape has no offset: an hour that a zone has twice is ambiguous there.
				const sms = DateTime.fromFormat(formatForSms(time), 'yyyy-MM-dd HH:mm:ss', {
					zone: workflowZone,
				});
				expect(sms.getPossibleOffsets().map((possible) => possible.toMillis())).toContain(ms);
			}
		}),
	);
});

test.each([
	"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Schedule_At', ``, 'string') }}",
	"={{ $fromAi('when') }}",
])('an empty text that a model gives is refused: %s', async (scheduleAt) => {
	const given = async (value: string) => await read(value, { parameters: { scheduleAt } });
	await expect(given('')).rejects.toMatchObject({
		message: "The expression in 'Schedule At' returned nothing for this item",
		description: expect.stringContaining('enter the current time'),
	});
	expect((await given('2130-12-31T09:30:00'))?.year).toBe(2130);
});
