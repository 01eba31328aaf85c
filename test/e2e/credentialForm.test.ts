/** The credential's form in n8n's editor: what 'Advanced' hides is kept when it is saved. */
import { outputOf, type HostClient } from '../../tools/host';
import { Editor, isChromiumInstalled } from '../../tools/host/editor';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { chain, gateway } from '../../tools/shared/workflows';

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

const always = ['baseUrl', 'apiKey', 'defaultCountryCode', 'allowedCountries', 'chatApp'];
const hidden = [
	...['doNotContactWorkflowId', 'n8nAddress', 'smsScheduleTimezone'],
	...['authentication', 'allowUnauthorizedCerts'],
	...['audioScheduleField', 'campaignIdParameter', 'keyStatusParameter'],
];

(needs ? describe.skip : describe)(`the credential's form${needs}`, () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let editor: Editor;

	beforeAll(async () => {
		const host = await sharedHost();
		client = host.client;
		sandbox = await startSandbox();
		editor = await Editor.start(host.url, client);
	});
	afterAll(async () => {
		await editor?.stop();
		await sandbox?.close();
	});

	it("keeps what 'Advanced' hides", async () => {
		const { baseUrl, apiKey } = sandbox.credential;
		const credential = await client.createCredential({ baseUrl, apiKey });
		await editor.openCredential(credential.id);
		const dialog = editor.page.getByTestId('credential-edit-dialog');
		const field = (name: string) => dialog.getByTestId(`parameter-input-${name}`);
		const fields = async () =>
			(
				await dialog
					.getByTestId('credential-connection-parameter')
					.locator('[data-test-id^="parameter-input-"]:not([data-test-id$="-field"])')
					.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('data-test-id')))
			)
				.map((id) => id!.replace('parameter-input-', ''))
				.filter((name) => name !== 'allowedHttpRequestDomains'); // n8n's own, in every credential
		const toggle = async () => await field('advanced').locator('.el-switch').click();

		await field('advanced').waitFor();
		expect(await fields()).toEqual([...always, 'advanced']);
		await toggle();
		await field('smsScheduleTimezone').locator('input').fill('UTC');
		expect(await fields()).toEqual([...always, 'advanced', ...hidden]);
		await toggle();
		await field('smsScheduleTimezone').waitFor({ state: 'detached' });
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
