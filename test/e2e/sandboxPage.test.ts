/** What a newcomer sees of the sandbox, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../tools/host/editor';
import { REMINDED, startSandbox, type Sandbox } from '../../tools/sandbox';
import { digitsOf } from '../../tools/sandbox/records';
import { startService } from '../engine/harness/server';
import { describeInChromium } from './sharedHost';

const to = digitsOf(REMINDED[0]!);
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
	afterAll(async () => {
		await browser.close();
		await sandbox.close();
	});

	/** Sends an SMS with the sandbox's own credential. */
	async function sendSms(msg = 'Olá', number = to): Promise<unknown> {
		const response = await fetch(`${sandbox.url}/v1/sms/enviar`, {
			method: 'POST',
			headers: { 'x-api-key': sandbox.credential.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ to: number, msg, tiposms: '1' }),
		});
		return await response.json();
	}

	const shows = async (text: string) => await page.getByText(text).first().waitFor();
	const showsRow = async (name: string) => await page.getByRole('row', { name }).first().waitFor();
	const button = (name: string) => page.getByRole('button', { name });
	const press = async (name: string) => await button(name).click();

	it('shows a message as soon as it is accepted, newest first, and empties with the sandbox', async () => {
		for (const text of ['<b>One</b>', `Two\n${sandbox.url}/answer`]) {
			await sendSms(text);
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

	/** Waits until the button shows whether it is on. */
	const isPressed = async (name: string, pressed: boolean) =>
		await page.getByRole('button', { name, pressed }).waitFor();

	it.each([
		['Lose the next answer', 'may have been sent'],
		['Fail the next message', 'The service refuses the next message'],
	])('%s: once, unless it is taken back', async (meant, said) => {
		await press(meant);
		await shows(said);
		await isPressed(meant, true);
		await press(meant);
		await isPressed(meant, false);
		expect(await sendSms()).toMatchObject([{ success: true }]);
		await press(meant);
		await isPressed(meant, true);
		if (meant.startsWith('Lose')) {
			await expect(sendSms()).rejects.toThrow();
			await showsRow('Pending The answer was lost');
			await shows('1 of 20 reminders arrived · 1 arrived twice'); // for the message has arrived
		} else {
			expect(await sendSms()).toMatchObject({ success: false });
		}
		await isPressed(meant, false);
		expect(await sendSms()).toMatchObject([{ success: true }]);
	});

	it.each([
		['Answer slowly', 'Each message takes five seconds'],
		['Disconnect the chat app', 'SMS are not'],
	])('%s: until it is pressed again', async (name, said) => {
		await isPressed(name, false);
		await press(name);
		await isPressed(name, true);
		await shows(said);
		await press(name);
		await isPressed(name, false);
		expect(await page.getByText(said).isVisible()).toBe(false);
	});

	it('counts reminders only, and says what to do next, whatever was run first', async () => {
		await sendSms('Olá', '5511912345678');
		await sendSms('Olá', '5511912345678');
		await shows('0 of 20 reminders arrived · 0 arrived twice');
		await shows('Execute Twenty reminders.');
		await shows('Execute The same with HTTP Request.');
		await sendSms();
		await shows('1 of 20 reminders arrived · 0 arrived twice');
		await shows(
			'Execute Twenty reminders again: those without one get one. Those who may have got one get none: the node names them.',
		);
		for (const phone of REMINDED.slice(1)) await sendSms('Olá', digitsOf(phone));
		await shows('20 of 20 reminders arrived · 0 arrived twice');
		await shows('Nobody got two');
	});

	it('delivers what a person answers', async () => {
		const service = await startService();
		sandbox.webhook = { url: service.url, enabled: true };
		await sendSms();
		await page.getByText('Its text').click(); // a label, which leads to the field
		await page.locator('input:focus').fill('Sair');
		await press('Deliver a reply');
		await shows('answered 200');
		sandbox.webhook = { url: null, enabled: false }; // as after a test event
		await shows('Reports and replies need a workflow');
		await shows('answered 200');
		await service.close();
		expect(service.received.map(({ body }) => JSON.parse(String(body)) as unknown)).toMatchObject([
			{ event: 'message.received', from: to, text: 'Sair' },
		]);
	});
});
