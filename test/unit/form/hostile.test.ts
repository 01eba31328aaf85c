/** Values of 1 MB, as anybody may send them: no work on them is quadratic. */
import type { INodeProperties } from 'n8n-workflow';

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
const values = parts.map(
	(part) => [JSON.stringify(part), part.repeat(size / part.length)] as const,
);

const property: INodeProperties = { displayName: 'V', name: 'v', type: 'string', default: '' };
const ids = list(property, /[\s,;[\]"']+/, 'IDs');
const id = locator(
	property,
	{ searchListMethod: 'x', placeholder: '' },
	{ placeholder: '', hint: '' },
);

test.each(values)('many %s', async (_, value) => {
	const item = await makeItem({ v: value, message: value }, { parameters: { v: `=${value}` } });
	const reads = {
		text: () => text(property).read(item),
		list: () => ids.read(item),
		locator: () => id.read(item),
		message: () => questionFields.message.read(item),
		parts: () => item.parts('v').map(({ isMissing }) => isMissing),
		reply: () => readReply({ type: 'freeText' }, { answer: value }),
	};
	for (const [field, read] of Object.entries(reads)) {
		expect([field, await isLinear(read)]).toEqual([field, true]);
	}
});

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
