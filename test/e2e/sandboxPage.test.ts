/** What a newcomer sees of the sandbox, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../tools/host/editor';
import { OPERATIONAL_ERRORS, startSandbox, type Sandbox } from '../../tools/sandbox';
import { describeInChromium } from './sharedHost';

const to = '5511912345678';
describeInChromium('the page of messages', () => {
	let sandbox: Sandbox;
	let browser: Browser;
	let page: Page;
	beforeAll(async () => {
		[sandbox, browser] = await Promise.all([startSandbox(), startChromium()]);
		page = await browser.newPage({ locale: 'en-US' });
		page.setDefaultTimeout(30_000);
	});
	beforeEach(async () => {
		sandbox.reset();
		await page.goto(`${sandbox.url}/_sandbox/messages`);
		await shows('No messages yet');
	});
	afterEach(() => (sandbox.n8nPid = undefined));
	afterAll(async () => {
		await browser.close();
		await sandbox.close();
	});

	/** Calls the sandbox with its own credential. */
	async function post(path: string, body: object, headers: Record<string, string> = {}) {
		const { apiKey, instanceToken } = sandbox.credential;
		const response = await fetch(sandbox.url + path, {
			method: 'POST',
			headers: {
				...{ 'x-api-key': apiKey, 'x-instance-token': instanceToken },
				...{ 'content-type': 'application/json', ...headers },
			},
			body: JSON.stringify(body),
		});
		return { status: response.status, body: (await response.json()) as unknown };
	}
	const sms = (msg = 'Olá') => ({ to, msg, tiposms: '1' });
	const sendSms = async (body: object = sms(), headers: Record<string, string> = {}) =>
		await post('/v1/sms/enviar', body, headers);
	const sendAudio = async () =>
		await post('/v2/chatapp/message/sendAudio', {
			...{ to, mimetype: 'audio/ogg', chatapp_mode: 'private' },
			audio_base64: Buffer.from('audio').toString('base64'),
		});

	const shows = async (text: string) => await page.getByText(text).first().waitFor();
	const showsRow = async (name: string) => await page.getByRole('row', { name }).first().waitFor();
	const button = (name: string) => page.getByRole('button', { name });
	const press = async (name: string) => await button(name).click();

	it('shows a message as soon as it is accepted, newest first, and empties with the sandbox', async () => {
		for (const text of ['<b>One</b>', `Two\n${sandbox.url}/answer`]) {
			await sendSms(sms(text));
			await shows(text.split('\n')[0]!);
		}
		const rows = await page.locator('tbody tr').allInnerTexts();
		expect(rows.map((row) => row.split('\t').slice(1))).toEqual([
			['SMS', `+${to}`, 'Pending', `Two\n${sandbox.url}/answer`],
			['SMS', `+${to}`, 'Pending', '<b>One</b>'],
		]);
		const link = page.getByRole('link', { name: `${sandbox.url}/answer` }); // of a question
		expect(await link.getAttribute('href')).toBe(`${sandbox.url}/answer`);
		expect(await page.getByText('No messages yet').isVisible()).toBe(false);
		sandbox.reset();
		await shows('No messages yet');
	});

	it.each([
		['Lose the next answer', 'may have been sent', 'Deliver the next answer'],
		['Fail the next message', 'The service refuses the next message', 'Accept the next message'],
	])('%s: once, unless it is taken back', async (meant, said, back) => {
		await press(meant);
		await shows(said);
		await press(back);
		await button(meant).waitFor();
		expect((await sendSms()).body).toMatchObject([{ success: true }]);
		await press(meant);
		await shows(said);
		if (back.startsWith('Deliver')) {
			await expect(sendSms()).rejects.toThrow();
			await showsRow('Pending The answer was lost');
			await shows('accepted 2 · twice 1'); // for the message has arrived
		} else {
			expect((await sendSms()).body).toMatchObject({ success: false });
		}
		await button(meant).waitFor();
		expect((await sendSms()).body).toMatchObject([{ success: true }]);
	});

	it('counts what each sender sent, twice, and its segments', async () => {
		await shows('To compare, execute');
		const reminder = sms('x'.repeat(161));
		await sendSms(reminder);
		for (let time = 0; time < 3; time++) await sendSms(reminder, { 'x-sent-by': 'HTTP Request' });
		const of = (hasText: string) => page.locator('section', { hasText });
		const own = 'accepted 1 · twice 0 · refused 0 · SMS segments 2';
		await of('This package').getByText(own).waitFor();
		const other = 'accepted 3 · twice 1 · refused 0 · SMS segments 6';
		await of('HTTP Request').getByText(other).waitFor();
		await showsRow('SMS HTTP Request 2 segments');
	});

	it('has a button for each fault, and one that ends it', async () => {
		sandbox.n8nPid = 4711;
		await shows('kill -9 4711');
		await press('Answer slowly');
		await shows('Each message takes five seconds');
		await press('Answer at once');
		await button('Answer slowly').waitFor();
		await press('Disconnect the chat app');
		await button('Reconnect the chat app').waitFor();
		expect((await sendAudio()).status).toBe(OPERATIONAL_ERRORS.instanceDisconnected.status);
		await press('Reconnect the chat app');
		await button('Disconnect the chat app').waitFor();
		expect(await button('Deliver a report').isDisabled()).toBe(true);
		sandbox.webhook = { url: 'http://127.0.0.1:9', enabled: true };
		await press('Deliver a report');
		await shows('Not delivered: ');
	});
});
