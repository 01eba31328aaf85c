import { runInNewContext } from 'node:vm';

import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { events } from '../../../nodes/MessagingGatewayStatusTrigger/events';
import { namesInQuotes } from '../support/wording';

const { description } = new MessagingGatewayStatusTrigger();

test.each(events)('the subtitle of $value is its name', ({ value, name }) => {
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(description.subtitle!)!;
	expect(runInNewContext(expression!, { $parameter: { event: value } })).toBe(name);
});

test('events are sorted, and say when they happen', () => {
	const names = events.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
	for (const { description: text } of events) expect(text).toMatch(/^When /);
});

test.each(events)('a hint about $value names fields of its form', (event) => {
	const labels = ['Poll Times', ...event.fields.map(({ displayName }) => displayName)];
	for (const text of Object.values(event.hints ?? {})) {
		expect(labels).toEqual(expect.arrayContaining(namesInQuotes(text)));
	}
});
