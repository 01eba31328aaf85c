/**
 * The forms and an error as n8n's editor shows them: a few of each kind here, all in the nightly tests.
 * What each form asks for is in test/unit/properties/forms.test.ts.
 */
import { chain, gateway, node } from '../../tools/shared/workflows';
import { describeInEditor } from './sharedHost';

/** @param few the numbers of those that are always opened */
const some = <T>(all: T[], ...few: number[]): T[] =>
	process.env.THOROUGH ? all : few.map((index) => all.at(index)!);

/** What people look for, and the place at which n8n's list has the node at the latest. */
const searches: Array<[text: string, place: number]> = [
	['sms', 5], // after n8n's own, which have the same word
	['send sms', 1],
	['send text', 1],
	['text message', 1],
	['reply', 1],
	['notify', 1],
	['broadcast', 1],
	['marketing', 1],
	['reminder', 1],
	['voice', 3],
	['voice message', 1],
	['delivery', 1],
	['webhook', 2],
	['approval', 11], // after n8n's own
];

/** What cannot be undone, where everybody sees it. */
const notices: Array<[resource: string, operation: string, RegExp]> = [
	['apiKey', 'revoke', /cannot be undone.*key of your credential/],
	['campaign', 'delete', /cannot be undone/],
	['instance', 'logOut', /cannot undo/],
	['webhook', 'set', /replaces the URL.*published Messaging Gateway Trigger/],
];

const triggers: Array<[type: string, version: number, button: string, fields: string[]]> = [
	['messagingGatewayTrigger', 2, 'Execute step', ['Options']],
	[
		'messagingGatewayStatusTrigger',
		1,
		'Fetch Test Event',
		['Poll Times', 'Mode', 'Trigger On', 'Simplify'],
	],
];

const noticed = some(notices, 0, -1);

describeInEditor('in the editor', (host) => {
	beforeAll(async () => {
		const { client, credential, editor } = host;
		// One workflow for all of them: a page of n8n's editor takes five seconds of a processor.
		const nodes = [
			// In front, since their buttons lie over what is to the left. n8n leaves the left side of their forms
			// empty as long as something required is missing.
			...triggers.map(([type, typeVersion]) =>
				node(
					type,
					`n8n-nodes-messaging-gateway.${type}`,
					{ event: 'connectionChanged' },
					{ typeVersion, credentials: { messagingGatewayApi: credential } },
				),
			),
			...noticed.map(([resource, operation]) => ({
				...gateway(credential, resource, operation),
				name: operation,
			})),
		];
		await editor.openWorkflow(await client.createWorkflow(chain('Forms', ...nodes)));
	});

	it('what cannot be undone is said in the form', async () => {
		for (const [, operation, text] of noticed) {
			await host.editor.openNode(operation);
			const form = host.editor.page.getByTestId('node-parameters');
			await form.filter({ hasText: text }).waitFor();
			expect(await form.innerText()).toMatch(text);
			await host.editor.closeNode();
		}
	});

	it('the triggers say what to press, and ask what they need', async () => {
		for (const [type, , button, fields] of triggers) {
			await host.editor.openNode(type);
			const { page } = host.editor;
			expect(await page.getByTestId('trigger-header').innerText()).toContain(`Click '${button}'`);
			expect(await page.getByTestId('trigger-execute-button').first().innerText()).toBe(button);
			await page.getByText('To use it:').waitFor();
			expect(await host.editor.fields(fields.length)).toEqual(fields);
			await host.editor.closeNode();
		}
	});

	it('each search finds the node, with a text that fits; its actions begin with Send SMS', async () => {
		await host.editor.openNodeCreator();
		for (const [text, place] of some(searches, 0, 4, -1)) {
			const entries = await host.editor.search(text);
			const names = entries.slice(0, place).map(({ name }) => name);
			expect({ text, names }).toEqual({
				text,
				names: expect.arrayContaining(['Messaging Gateway']),
			});
			const { description } = entries.find(({ name }) => name === 'Messaging Gateway')!;
			expect(description).toMatch(/^Send SMS and chat-app messages, .*approval.*delivery report/);
		}
		await host.editor.search('Messaging Gateway');
		await host.editor.page.getByTestId('item-iterator-item').first().click();
		await host.editor.page.getByText('Message Actions').waitFor();
		const names = await host.editor.page.getByTestId('node-creator-item-name').allInnerTexts();
		expect(names.filter((name) => name === 'Send SMS' || name === 'Get many API keys')).toEqual([
			'Send SMS',
			'Get many API keys',
		]);
	});

	it('an error says what happened and what to do', async () => {
		host.sandbox.instance.connected = false;
		const send = gateway(host.credential, 'message', 'sendMedia', {
			to: '5511912345678',
			mediaUrl: 'https://example.com/photo.jpg',
		});
		await host.editor.openWorkflow(await host.client.createWorkflow(chain('Error', send)));
		await host.editor.execute();
		await host.editor.openNode('Gateway');
		const output = host.editor.page.getByTestId('output-panel');
		await output.getByText('Instância desconectada.').first().waitFor();
		const text = await output.innerText();
		expect(text).toMatch(/connect/i);
		expect(text).not.toContain(host.sandbox.credential.apiKey);
		expect(text).not.toContain(host.sandbox.credential.instanceToken);
		expect(text).not.toMatch(/^\s*at .*:\d+:\d+/m);
	});
});
