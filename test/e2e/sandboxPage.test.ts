/** What a newcomer sees of the sandbox, in a real browser. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { isChromiumInstalled, startChromium } from '../../tools/host/editor';
import { until } from '../../tools/host/until';
import { OPERATIONAL_ERRORS, SEEDS, startSandbox, type Sandbox } from '../../tools/sandbox';
import { startCrm } from '../../tools/shared/crm';
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
		page = await browser.newPage({ locale: 'en-US' });
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
			['SMS', `+${to}`, 'Pending', 'Two'],
			['SMS', `+${to}`, 'Pending', '<b>One</b>'],
		]);
		expect(await page.getByText('No messages yet').isVisible()).toBe(false);
	});

	it('shows how each message fares, and keeps those that are scheduled for their time', async () => {
		const undeliverable = '5511912340000';
		const send = async (number: string, more = {}) =>
			await call(sandbox, 'POST', '/v1/sms/enviar', { ...sms(number), ...more });
		await send(to);
		await send(undeliverable);
		await send(to, { schedule: '2099-12-31 09:00:00' });
		await send(to, { schedule: '2020-12-31 09:00:00' }); // long due
		const lives = async (...expected: string[]) =>
			await until('the page shows it', async () => {
				const shown = await page.locator('td:nth-child(4)').allInnerTexts();
				return shown.reverse().join() === expected.join();
			});
		const scheduled = new RegExp('^Scheduled for Dec 31, 2099');
		await page.locator('td', { hasText: scheduled }).waitFor();
		const third = await page.locator('td', { hasText: scheduled }).innerText();
		await lives('Pending', 'Pending', third, 'Pending');
		await sandbox.advance();
		const sent = 'Pending → Sent';
		await lives(sent, sent, third, sent);
		await sandbox.advance();
		const delivered = `${sent} → Delivered`;
		await lives(delivered, `${sent} → Not delivered`, third, delivered);

		sandbox.removeCampaign('sms', SEEDS.campaigns.sms.running);
		await page.getByText('Deleted with its campaign').first().waitFor();
	});

	it('goes on with the messages of a sandbox before', async () => {
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, 'Before'));
		await sandbox.advance();
		const next = await startSandbox({ kept: sandbox.snapshot() });
		try {
			await page.goto(`${next.url}/_sandbox/messages`);
			await page.getByRole('row', { name: 'Pending → Sent Before' }).waitFor();
			await next.advance();
			await page.getByRole('row', { name: 'Pending → Sent → Delivered Before' }).waitFor();
		} finally {
			await next.close();
		}
	});

	it('shows what was refused, and why', async () => {
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to), { 'x-api-key': 'wrong' });
		const { status, body } = await call(sandbox, 'POST', '/v1/sms/enviar', { ...sms(to), msg: 1 });
		expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'msg'] }] }]);
		await page.getByRole('row', { name: 'Refused Token inválido. Olá' }).waitFor();
		await page.getByRole('row', { name: 'Refused msg: must be string' }).waitFor();
		await page.getByText('accepted 0 · twice 0 · refused 2').waitFor();
		const next = await startSandbox({ kept: sandbox.snapshot() });
		expect(next.overview().totals).toEqual(sandbox.overview().totals);
		await next.close();
	});

	it('loses an answer, once: the message has arrived', async () => {
		const send = async () => await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, 'Lost?'));
		for (const isMeant of [true, false]) {
			await page.getByRole('button', { name: 'Lose the next answer' }).click();
			await page.getByText('may have been sent').waitFor();
			if (!isMeant) await page.getByRole('button', { name: 'Deliver the next answer' }).click();
			else await expect(send()).rejects.toThrow();
			await page.getByRole('button', { name: 'Lose the next answer' }).waitFor();
		}
		await page.getByRole('row', { name: 'Pending The answer was lost Lost?' }).waitFor();
		expect(await send()).toMatchObject({ status: 200 });
		await page.getByText('accepted 2 · twice 1').waitFor();
		expect(await page.getByText('The answer was lost').count()).toBe(1);
	});

	it('counts what each sender sent, twice, and its segments', async () => {
		await page.getByText('To compare, execute').waitFor();
		const reminder = sms(to, 'x'.repeat(161));
		const send = async (headers = {}) =>
			await call(sandbox, 'POST', '/v1/sms/enviar', reminder, headers);
		await send();
		for (let time = 0; time < 3; time++) await send({ 'x-sent-by': 'HTTP Request' });
		const own = page.locator('section', { hasText: 'This package' });
		await own.getByText('accepted 1 · twice 0 · refused 0 · SMS segments 2').waitFor();
		const other = page.locator('section', { hasText: 'HTTP Request' });
		await other.getByText('accepted 3 · twice 1 · refused 0 · SMS segments 6').waitFor();
		await page.getByRole('row', { name: 'SMS HTTP Request 2 segments' }).first().waitFor();
	});

	it('answers slowly, and says how to kill n8n meanwhile', async () => {
		expect(await page.getByText('Kill n8n now').isVisible()).toBe(false);
		sandbox.n8nPid = 4711;
		await page.getByText('kill -9 4711').waitFor();
		await page.getByRole('button', { name: 'Answer slowly' }).click();
		await page.getByText('Each message takes five seconds').waitFor();
		const before = Date.now();
		await call(sandbox, 'POST', '/v1/sms/enviar', sms());
		expect(Date.now() - before).toBeGreaterThanOrEqual(5_000);
		await page.getByRole('button', { name: 'Fail the next message' }).click();
		await page.getByText('The service refuses the next message').waitFor();
		expect(sandbox.overview()).toMatchObject({ answersSlowly: true, nextMessage: 'refused' });
		await page.getByRole('button', { name: 'Answer at once' }).click();
		await page.getByRole('button', { name: 'Answer slowly' }).waitFor();
		expect(sandbox.nextMessage).toBe('refused');
		sandbox.n8nPid = undefined;
	});

	it.each([
		['light', 1200],
		['dark', 1200],
		['light', 360],
		['dark', 360],
	] as const)('can be read by everybody: %s, %i px wide', async (colorScheme, width) => {
		sandbox.n8nPid = 4711;
		const { message, ...rest } = media();
		const image = { ...rest, message: { ...message, mediaurl: pixel } };
		await call(sandbox, 'POST', '/v2/chatapp/message/sendMedia', image);
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, `${'a'.repeat(400)} ${sandbox.url}`));
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(), { 'x-sent-by': 'HTTP Request' });
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(), { 'x-api-key': 'wrong' });
		const viewport = { width, height: 800 };
		const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true });
		const other = await context.newPage();
		await other.goto(`${sandbox.url}/_sandbox/messages`);
		await other.getByText('Refused').first().waitFor();
		const beyond = await other.evaluate<number>(
			'document.documentElement.scrollWidth - document.documentElement.clientWidth',
		);
		expect(beyond).toBe(0);
		await other.evaluate(axe.source);
		const { violations } = await other.evaluate(
			async () => await (globalThis as never as { axe: typeof axe }).axe.run(),
		);
		expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
		await context.close();
		sandbox.n8nPid = undefined;
	});

	it('has a message refused, once', async () => {
		const send = async () => await call(sandbox, 'POST', '/v1/sms/enviar', sms());
		for (const isMeant of [true, false]) {
			await page.getByRole('button', { name: 'Fail the next message' }).click();
			await page.getByText('The service refuses the next message').waitFor();
			if (!isMeant) await page.getByRole('button', { name: 'Accept the next message' }).click();
			else expect((await send()).body).toMatchObject({ success: false });
			await page.getByRole('button', { name: 'Fail the next message' }).waitFor();
			expect((await send()).body).toMatchObject([{ success: true }]);
		}
	});

	it('disconnects the chat app, and reconnects it', async () => {
		const send = async () =>
			(await call(sandbox, 'POST', '/v2/chatapp/message/sendAudio', audio())).status;
		await page.getByRole('button', { name: 'Disconnect the chat app' }).click();
		await page.getByRole('button', { name: 'Reconnect the chat app' }).waitFor();
		expect(await send()).toBe(OPERATIONAL_ERRORS.instanceDisconnected.status);
		await page.getByRole('button', { name: 'Reconnect the chat app' }).click();
		await page.getByRole('button', { name: 'Disconnect the chat app' }).waitFor();
		expect(await send()).toBe(200);
	});

	it('delivers a report, once there is a webhook: of the latest message, or an example', async () => {
		const deliver = page.getByRole('button', { name: 'Deliver a report' });
		await page.getByText('First publish a workflow').waitFor();
		expect(await deliver.isDisabled()).toBe(true);

		const crm = await startCrm();
		sandbox.webhook = { url: crm.url, enabled: true };
		await deliver.click();
		await page.getByText('answered 202').waitFor();
		await call(sandbox, 'POST', '/v1/sms/enviar', sms('5521998765432'));
		await deliver.click();
		await until('both have come', () => crm.received.length === 2);
		expect(sandbox.deliveries().map(({ event }) => event)).toMatchObject([
			{ event: 'message.status', to, status: 'delivered' },
			{ event: 'message.status', to: '5521998765432', status: 'queued' },
		]);
		await crm.close();
		await deliver.click();
		await page.getByText('Not delivered: ').waitFor();
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

	it('loads nothing from elsewhere, and runs nothing but its own script', async () => {
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		const { message, ...rest } = media();
		for (const mediaurl of [message.mediaurl, 'javascript:alert(1)', `${sandbox.url}/a.png`])
			await call(sandbox, 'POST', '/v2/chatapp/message/sendMedia', {
				...rest,
				message: { ...message, mediaurl },
			});
		await page.getByRole('link', { name: message.mediaurl }).waitFor();
		await page.getByText('javascript:alert(1)').waitFor();
		expect(await page.getByRole('link').count()).toBe(2);
		expect(await page.locator('img').count()).toBe(1);
		await until('it is asked for', () => asked.includes(`${sandbox.url}/a.png`));
		expect(asked.filter((url) => !url.startsWith(sandbox.url))).toEqual([]);
		const runs = page.addScriptTag({ content: 'document.title = "Script"' });
		await expect(runs).rejects.toThrow('Content Security Policy');
	});

	it('leads there from an address that is none', async () => {
		const answer = await page.goto(`${sandbox.url}/nothing`);
		expect(answer!.status()).toBe(404);
		await page.getByRole('link').click();
		await page.getByText('No messages yet').waitFor();
	});
});
