import { runInNewContext } from 'node:vm';
import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { events } from '../../../nodes/MessagingGatewayStatusTrigger/events';
import { adviceFor } from '../../../nodes/MessagingGatewayStatusTrigger/failures';
import { node } from '../../../testing/context';
import { namesInQuotes } from '../support/wording';

const { description } = new MessagingGatewayStatusTrigger();

test('workflows depend on these names', () => {
	expect(description).toMatchObject({
		name: 'messagingGatewayStatusTrigger',
		displayName: 'Messaging Gateway Status Trigger',
		version: 1,
		polling: true,
		inputs: [],
		outputs: ['main'],
	});
	expect(events.map(({ value }) => value)).toEqual([
		'apiKeyChanged',
		'campaignFinished',
		'connectionChanged',
		'messageStatusChanged',
	]);
});

const campaigns = { channel: 'chatApp', campaignIds: '' };

test.each([
	['messageStatusChanged', { ...campaigns, simplify: true, options: {} }, ['statuses']],
	['campaignFinished', { ...campaigns, simplify: true }, []],
	['connectionChanged', { simplify: true }, []],
	['apiKeyChanged', { simplify: true }, []],
])('%s shows the parameters %j and the options %j', (event, parameters, options) => {
	const shown = description.properties.filter((field) =>
		NodeHelpers.displayParameter({ event, ...parameters }, field, node, description),
	);
	const defaults = shown.map(({ name, default: value }) => [name, value]);
	expect(Object.fromEntries(defaults)).toEqual({ event: 'messageStatusChanged', ...parameters });
	expect(new Set(shown.map(({ name }) => name)).size).toBe(shown.length);
	const collection = shown.find(({ name }) => name === 'options');
	expect((collection?.options ?? []).map(({ name }) => name)).toEqual(options);
});

test('the channels are those of the action node', () => {
	const channel = description.properties.find(({ name }) => name === 'channel');
	const values = (channel!.options as INodePropertyOptions[]).map(({ value }) => value);
	expect(values).toEqual(['chatApp', 'sms']);
});

test.each(events)('$value stands under the node by its name', ({ value, name }) => {
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(description.subtitle!)!;
	expect(runInNewContext(expression!, { $parameter: { event: value } })).toBe(name);
});

const fields = description.properties.flatMap((field) => [
	field,
	...(field.type === 'collection' ? (field.options as INodeProperties[]) : []),
]);

test('the texts say what a switch does, give examples, and have an order', () => {
	const names = events.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
	for (const { type, description: text, placeholder, displayName } of fields) {
		expect(text === undefined).toBe(type === 'collection');
		if (type === 'boolean') expect(text).toMatch(/^Whether /);
		if (type === 'string') expect(placeholder).toMatch(/^e\.g\. \S/);
		for (const word of displayName.split(' ')) expect(word).toMatch(/^[A-Z]/);
	}
	for (const { description: text } of events) expect(text).toMatch(/^When /);
});

test.each(events)('advice about $value names what stands on its screen', (event) => {
	const labels = ['Poll Times', ...event.fields.map(({ displayName }) => displayName)];
	for (const text of Object.values(adviceFor(event))) {
		for (const name of namesInQuotes(text)) expect(labels).toContain(name);
	}
});
