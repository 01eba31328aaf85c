/** Values of 1 MB, as anybody may send them: quadratic work on them takes minutes, linear work little. */
import type { INodeProperties } from 'n8n-workflow';

import { list, locator, text } from '../../../nodes/form/field';
import { readReply } from '../../../nodes/MessagingGateway/question/question';
import { questionFields } from '../../../nodes/MessagingGateway/question/fields';
import { makeItem } from '../../../tools/shared/item';
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
	'a',
	' ',
	'\r\n',
	',',
	'{{',
	'{{a',
	'{',
	'$(',
	"$('",
	'$("a").',
	'$json.',
	'/',
	'?',
	'@',
];
const more = [
	'//',
	'[object ',
	'undefined',
	'NaN',
	'"',
	'\u200b',
	'\ud800',
	'😀',
	'\n1\n',
	'1',
	'x:',
];
const values = [...parts, ...more].map((part): [string, string] => [
	JSON.stringify(part),
	part.repeat(size / part.length),
]);

const property: INodeProperties = { displayName: 'V', name: 'v', type: 'string', default: '' };
const ids = list(property, /[\s,;[\]"']+/, 'IDs');
const id = locator(
	property,
	{ searchListMethod: 'x', placeholder: '' },
	{ placeholder: '', hint: '' },
);

/** In ms, of a machine that may be busy. */
const bound = 1_000;

async function timeOf(work: () => unknown): Promise<number> {
	const start = performance.now();
	try {
		await work();
	} catch {
		// A refusal is as good.
	}
	return performance.now() - start;
}

test.each(values)('many %s', async (_, value) => {
	const item = await makeItem({ v: value, message: value }, { parameters: { v: `=${value}` } });
	const times = {
		text: await timeOf(() => text(property).read(item)),
		list: await timeOf(() => ids.read(item)),
		locator: await timeOf(() => id.read(item)),
		message: await timeOf(() => questionFields.message.read(item)),
		emptyParts: await timeOf(() => item.emptyParts('v')),
		reply: await timeOf(() => readReply({ type: 'freeText' }, { answer: value })),
	};
	expect(Math.max(...Object.values(times))).toBeLessThan(bound);
});

test.each(values)('a polled campaign with many %s', async (_, value) => {
	const entry = { messageId: value, status: value, to: value };
	const campaigns = [campaign('c-1', entry, { ...entry, messageId: 'a' })];
	const settings = { channel: 'sms', statuses: [] as string[] } as Settings;
	const poll = { settings } as unknown as Poll;
	const { records, compare, output } = messageStatusChanged;
	const time = await timeOf(async () => {
		const found = records({ campaigns }, { key: 'c-1' } as Source, poll) as StatusRecord[];
		const { changes } = await compare({}, found, poll);
		return changes.map((change) => output(change, settings));
	});
	expect(time).toBeLessThan(bound);
});
