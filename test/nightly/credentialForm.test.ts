/** The credential's form in n8n's editor: no field is a warning, and what is entered is kept. */
import type { INodeProperties } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { outputOf } from '../../tools/host';
import { chain, gateway } from '../../tools/shared/workflows';
import { describeInEditor } from '../e2e/sharedHost';

const { properties } = new MessagingGatewayApi();
const fields = properties.filter(({ type }) => type !== 'hidden');
const namesOf = (some: INodeProperties[]) => some.map(({ name }) => name);

describeInEditor("the credential's form", (host) => {
	it('shows what SMS needs and the sending rules, then all, and keeps what is entered', async () => {
		const { client, sandbox, editor } = host;
		const { baseUrl, apiKey } = sandbox.credential;
		const credential = await client.createCredential({ baseUrl, apiKey });
		await editor.openCredential(credential.id);
		const dialog = editor.page.getByTestId('credential-edit-dialog');
		const field = (name: string) => dialog.getByTestId(`parameter-input-${name}`);
		await field('smsScheduleTimezone').waitFor();
		const shown = async () => {
			const drawn = await dialog
				.getByTestId('credential-connection-parameter')
				.locator('[data-test-id^="parameter-input-"]:not([data-test-id$="-field"])')
				.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('data-test-id')));
			const names = drawn.map((id) => id!.replace('parameter-input-', ''));
			const ofN8n = 'allowedHttpRequestDomains'; // in every credential
			return names.filter((name) => name !== ofN8n);
		};
		const inSight = fields.filter(({ displayOptions }) => !displayOptions);
		expect(await shown()).toEqual(namesOf(inSight));
		for (const name of ['chatApp', 'serviceDetails']) await field(name).click();
		expect(await shown()).toEqual(namesOf(fields));
		await field('smsScheduleTimezone').locator('input').fill('UTC');
		const saved = editor.page.waitForResponse(
			(response) => response.request().method() === 'PATCH' && response.ok(),
		);
		await editor.page.getByRole('button', { name: 'Save', exact: true }).click();
		await saved;

		const send = gateway(credential, 'message', 'sendSms', {
			to: '+5511912345678',
			text: 'Hello',
			scheduleAt: '2030-12-31T09:30:00',
		});
		const execution = await client.execute(chain('Form', send));
		expect(outputOf(execution, 'Gateway')).toHaveLength(1);
		expect(sandbox.accepted()).toMatchObject([{ body: { schedule: '2030-12-31 12:30:00' } }]);
	});
});
