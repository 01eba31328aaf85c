/** Values of 1 MB, as a public form may get them: none is read in quadratic time. */
import { scheduleAtField } from '../../../../nodes/form/fields/scheduleAt';
import { sendBetweenOption } from '../../../../nodes/form/fields/sendBetween';
import {
	readSmsLength,
	segmentsByCharacters,
	smsTextField,
	applyCharacters,
} from '../../../../nodes/form/fields/smsText';
import { describeNumber, smsToField } from '../../../../nodes/form/fields/to';
import { makeItem } from '../../../../tools/shared/item';
import { isLinear } from '../../../../tools/shared/linear';

const parts = ['5', ' ', '<', '/', '“', '{', '😀', '1½', 'x\u0301', '2030-12-31T', 'monday,'];

const values = parts
	.map((part) => part.repeat(1e6 / part.length))
	.flatMap((value) => [value, `+55 (${value}`]);

test.each(values.map((value) => [value.slice(0, 20), value]))('%j…', async (_, value) => {
	const hours = { windows: { values: [{ from: value, to: value, days: value }] }, timezone: value };
	const item = await makeItem({
		to: value,
		scheduleAt: value,
		text: value,
		options: { characters: 'plain', maxSegments: 1, sendBetween: { values: hours } } as never,
	});
	const reads = {
		to: () => smsToField.read(item),
		preview: () => describeNumber(item),
		scheduleAt: () => scheduleAtField.read(item),
		text: () => readSmsLength(item, applyCharacters(item, smsTextField.read(item))),
		characters: () => segmentsByCharacters(value),
		sendBetween: () => sendBetweenOption.read(item),
	};
	for (const [field, read] of Object.entries(reads)) {
		expect([field, await isLinear(read)]).toEqual([field, true]);
	}
});
