import { NodeOperationError } from 'n8n-workflow';

import { Item } from '../../../nodes/form/item';
import { credential, makeContext } from '../../../tools/shared/context';
import { accountIn, makeItem } from '../../../tools/shared/item';

test('each parameter is evaluated once, for the item it belongs to', async () => {
	const context = makeContext({
		items: [{ to: 'first' }, { to: 'second', options: { a: 1, b: 2 }, keyId: { value: 'k1' } }],
	});
	const read = jest.spyOn(context, 'getNodeParameter');
	const item = new Item(context, await accountIn(context), 1);
	const values = () => [
		item.parameter('to'),
		item.entry('options', 'a').value,
		item.entry('options', 'b').value,
		item.locator('keyId'),
	];
	expect([...values(), ...values()]).toEqual(['second', 1, 2, 'k1', 'second', 1, 2, 'k1']);
	expect(read.mock.calls.map(([name, index]) => [name, index])).toEqual([
		['to', 1],
		['options', 1],
		['keyId', 1],
	]);
});

test('a value that contains itself is refused with what to do', async () => {
	const context = makeContext();
	jest.spyOn(context, 'getNodeParameter').mockImplementation(() => {
		throw new RangeError('Maximum call stack size exceeded');
	});
	const item = new Item(context, await accountIn(context), 0);
	expect(() => item.parameter('to')).toThrow(
		expect.objectContaining({
			message: 'A value of this item contains itself or is nested too deeply',
			description: expect.stringContaining('return single values'),
		}),
	);
});

test.each([0, false, null, ''])('an option that is %j is set', async (value) => {
	const entry = (await makeItem({ options: { value } })).entry('options', 'value');
	expect(entry).toEqual({ value, isSet: true, isFromExpression: false });
});

test('chat-app paths carry the name of the account, and need it and the token', async () => {
	const path = async (more: object) =>
		(await makeItem({}, { credential: { ...credential, ...more } })).service.chatAppPath(
			'/message/x',
		);
	expect(await path({})).toBe('/v2/chatapp/message/x');
	expect(await path({ chatAppName: 'my app' })).toBe('/v2/my%20app/message/x');
	await expect(path({ instanceToken: '' })).rejects.toThrow("'Instance Token' is missing");
	await expect(path({ chatAppName: '' })).rejects.toThrow("'Chat App Name' is missing");
	const both = path({ instanceToken: '', chatAppName: '' });
	await expect(both).rejects.toThrow("'Instance Token' and 'Chat App Name' are missing");
});

test('an invalid value is an error of that item, without a secret', async () => {
	const error = (await makeItem()).invalid(
		`Not ${credential.apiKey}`,
		`Nor ${credential.instanceToken}.`,
	);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect([error.message, error.description, error.context.itemIndex]).toEqual([
		'Not •••',
		'Nor •••.',
		0,
	]);
	expect(JSON.stringify(error)).not.toMatch(/key-|token-/);
});

test('a stored file comes with its length, and opens as often as it is asked for', async () => {
	const item = await makeItem({}, { stored: { 'file-1': Buffer.from('Ogg') } });
	const file = await item.storedFile('file-1');
	expect(file.size).toBe(3);
	expect(await file.open()).not.toBe(await file.open());
});
