/** Values of 1 MB, as anybody may send them: no work on them is quadratic. */
import type { INodeProperties } from 'n8n-workflow';

import { scheduleAtField } from '../../../nodes/form/fields/scheduleAt';
import { sendBetweenOption } from '../../../nodes/form/fields/sendBetween';
import {
	applyCharacters,
	readSmsLength,
	segmentsByCharacters,
	smsTextField,
} from '../../../nodes/form/fields/smsText';
import { describeNumber, smsToField } from '../../../nodes/form/fields/to';
import { list } from '../../../nodes/MessagingGatewayStatusTrigger/field';
import { locator, text } from '../../../nodes/form/textField';
import { readReply } from '../../../nodes/question/question';
import { questionFields } from '../../../nodes/question/fields';
import { makeItem } from '../../../tools/shared/item';
import { isLinear } from '../../../tools/shared/linear';
import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import type {
	Poll,
	Settings,
	Source,
	StatusRecord,
} from '../../../nodes/MessagingGatewayStatusTrigger/statusEvent';
import { campaign } from '../statusTrigger/support';

const size = 1_000_000;
const parts = [
	...['a', ' ', '\r\n', ',', '{{', '{{a', '{', '$(', "$('", '$("a").', '$json.', '/', '?', '@'],
	...['//', '[object ', 'undefined', 'NaN', '"', '\u200b', '\ud800', '😀', '\n1\n', '1', 'x:'],
];
const valuesOf = (some: string[], start = '') =>
	some.map(
		(part) => [start + JSON.stringify(part), start + part.repeat(size / part.length)] as const,
	);
const values = valuesOf(parts);
/** What looks like a number, a time or characters to replace. */
const ofSends = ['5', ' ', '<', '/', '“', '{', '😀', '1½', 'x\u0301', '2030-12-31T', 'monday,'];

const property: INodeProperties = { displayName: 'V', name: 'v', type: 'string', default: '' };
const ids = list(property, /[\s,;[\]"']+/, 'IDs');
const id = locator(
	property,
	{ searchListMethod: 'x', placeholder: '' },
	{ placeholder: '', hint: '' },
);

async function expectLinear(reads: Record<string, () => unknown>): Promise<void> {
	for (const [field, read] of Object.entries(reads))
		expect([field, await isLinear(read)]).toEqual([field, true]);
}

test.each(values)('many %s', async (_, value) => {
	const item = await makeItem({ v: value, message: value }, { parameters: { v: `=${value}` } });
	await expectLinear({
		text: () => text(property).read(item),
		list: () => ids.read(item),
		locator: () => id.read(item),
		message: () => questionFields.message.read(item),
		parts: () => item.parts('v').map(({ isMissing }) => isMissing),
		reply: () => readReply({ type: 'freeText' }, { answer: value }),
	});
});

test.each([...valuesOf(ofSends), ...valuesOf(ofSends, '+55 (')])(
	'a send of %s',
	async (_, value) => {
		const hours = {
			windows: { values: [{ from: value, to: value, days: value }] },
			timezone: value,
		};
		const item = await makeItem({
			...{ to: value, scheduleAt: value, text: value },
			options: { characters: 'plain', maxSegments: 1, sendBetween: { values: hours } },
		});
		await expectLinear({
			to: () => smsToField.read(item),
			preview: () => describeNumber(item),
			scheduleAt: () => scheduleAtField.read(item),
			text: () => readSmsLength(item, applyCharacters(item, smsTextField.read(item))),
			characters: () => segmentsByCharacters(value),
			sendBetween: () => sendBetweenOption.read(item),
		});
	},
);

test.each(values)('a polled campaign with many %s', async (_, value) => {
	const entry = { messageId: value, status: value, to: value };
	const campaigns = [campaign('c-1', entry, { ...entry, messageId: 'a' })];
	const settings = { channel: 'sms', statuses: [] as string[] } as Settings;
	const poll = { settings } as unknown as Poll;
	const { records, compare, output } = messageStatusChanged;
	const report = async () => {
		const found = records({ campaigns }, { key: 'c-1' } as Source, poll) as StatusRecord[];
		const { changes } = await compare({}, found, poll);
		return changes.map((change) => output(change, settings));
	};
	expect(await isLinear(report)).toBe(true);
});
