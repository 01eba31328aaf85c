/** What a newcomer sees of the sandbox, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { isChromiumInstalled, startChromium } from '../../tools/host/editor';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { audio, call, media, sms } from '../unit/sandbox/http';

const to = '5511912345678';
const pixel =
	'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

(isChromiumInstalled ? describe : describe.skip)(`the page of messages${needs}`, () => {
	let sandbox: Sandbox;
	let browser: Browser;
	let page: Page;
	beforeAll(async () => {
		[sandbox, browser] = await Promise.all([startSandbox(), startChromium()]);
		page = await browser.newPage();
		page.setDefaultTimeout(30_000);
	});
	beforeEach(async () => {
		sandbox.reset();
		await page.goto(`${sandbox.url}/_sandbox/messages`);
	});
	afterAll(async () => {
		await browser.close();
		await sandbox.close();
	});

	it('shows a message as soon as it is accepted, newest first', async () => {
		await page.getByText('No messages yet').waitFor();
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, '<b>One</b>'));
		await page.getByText('<b>One</b>').waitFor();
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, 'Two'));
		await page.getByText('Two').waitFor();
		const rows = await page.locator('tbody tr').allInnerTexts();
		expect(rows.map((row) => row.split('\t').slice(1))).toEqual([
			['SMS', `+${to}`, 'Two'],
			['SMS', `+${to}`, '<b>One</b>'],
		]);
		expect(await page.getByText('No messages yet').isVisible()).toBe(false);
	});

	it('empties with the sandbox', async () => {
		await call(sandbox, 'POST', '/v1/sms/enviar', sms());
		await page.locator('tbody tr').waitFor();
		sandbox.reset();
		await page.getByText('No messages yet').waitFor();
	});

	it('links to the page of a question', async () => {
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, `Shall we?\n${sandbox.url}/answer`));
		const link = page.getByRole('link', { name: `${sandbox.url}/answer` });
		expect(await link.getAttribute('href')).toBe(`${sandbox.url}/answer`);
	});

	it('shows an image, and plays audio', async () => {
		const { message, ...rest } = media();
		const image = { ...rest, message: { ...message, mediaurl: pixel } };
		await call(sandbox, 'POST', '/v2/chatapp/message/sendMedia', image);
		await call(sandbox, 'POST', '/v2/chatapp/message/sendAudio', audio());
		await page.locator('img').waitFor();
		await page.locator('audio').waitFor();
		expect(await page.locator('img').getAttribute('src')).toBe(pixel);
		const played = await page.locator('audio').getAttribute('src');
		expect(played).toBe(`data:audio/ogg;base64,${Buffer.from('audio').toString('base64')}`);
	});

	it('leads there from an address that is none', async () => {
		const answer = await page.goto(`${sandbox.url}/nothing`);
		expect(answer!.status()).toBe(404);
		await page.getByRole('link').click();
		await page.getByText('No messages yet').waitFor();
	});
});
