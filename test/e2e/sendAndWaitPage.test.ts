/**
 * The page of a question as a phone shows it: the smallest one, by day and by night, without script.
 * The node's own code serves it here; in the last test, n8n does.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { outputOf } from '../../tools/host';
import { isChromiumInstalled, startChromium } from '../../tools/host/editor';
import { keepQuestion, type Form } from '../../nodes/MessagingGateway/question/question';
import { respond } from '../../nodes/MessagingGateway/question/webhook';
import { startSandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { asking, linksTo } from './wait/question';

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';
const to = '5511912345678';
const smallest = { width: 320, height: 568 };

/** With what breaks careless pages. */
const message = [
	'May we <b>deliver</b> "tomorrow" & bring \'it\' up?',
	'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
	'</p><script>document.title = "broken"</script>',
].join('\n');
const labels = [
	'Tomorrow morning',
	'<i>"Noon"</i> & '.repeat(20).trim(),
	'صباح الغد',
	'x'.repeat(80),
];

/** In the nightly tests, each language by day and by night. */
const looks = (['light', 'dark'] as const)
	.flatMap((scheme) => ['en-GB', 'pt-BR', 'es-ES'].map((locale) => [scheme, locale] as const))
	.filter((_, index) => process.env.THOROUGH ?? index % 4 === 0);

const kinds: Array<[string, Form, buttons: string[]]> = [
	['approval', { type: 'approval', approve: 'Yes', disapprove: 'No' }, ['Yes', 'No']],
	['choice', { type: 'choice', labels }, labels],
	['freeText', { type: 'freeText' }, ['Send']],
];

(needs ? describe.skip : describe)(`the page of a question${needs}`, () => {
	let browser: Browser;
	let server: Server;
	let form: Form;
	let asked = 0;
	let answered: IDataObject | undefined;

	beforeAll(async () => {
		browser = await startChromium();
		server = createServer((request, response) => {
			let body = '';
			request.on('data', (chunk) => (body += chunk));
			request.on('end', () => {
				const kept: IDataObject = {};
				keepQuestion(kept, { ask: '0', title: '', message, form, until: 1e15, sent: {} });
				const status = (code: number) => Object.assign(response, { statusCode: code });
				const context = {
					evaluateExpression: () => kept.question,
					getBodyData: () => Object.fromEntries(new URLSearchParams(body)),
					getExecutionId: () => String(asked),
					getHeaderData: () => request.headers,
					getNode: () => ({ id: '1', name: 'Question' }),
					getQueryData: () => ({ ask: '0' }),
					getRequestObject: () => request,
					getResponseObject: () => Object.assign(response, { status }),
				} as never as IWebhookFunctions;
				void respond(context).then(({ workflowData, webhookResponse }) => {
					if (!workflowData) return;
					answered = workflowData[0]![0]!.json.data as IDataObject;
					response.statusCode = 200;
					response.end(webhookResponse);
				});
			});
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
	});
	beforeEach(() => (answered = undefined));
	afterEach(async () => {
		await Promise.all(browser.contexts().map(async (context) => await context.close()));
	});
	afterAll(async () => {
		await browser?.close();
		server?.close();
	});

	/** Asks, and gives the link. */
	function ask(of: Form): string {
		form = of;
		asked++;
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	async function open(link: string, options: BrowserContextOptions = {}): Promise<Page> {
		const context = await browser.newContext({ viewport: smallest, locale: 'en-GB', ...options });
		context.setDefaultTimeout(60_000);
		const page = await context.newPage();
		await page.goto(link);
		return page;
	}

	/** @returns what is wrong for people with a screen reader, a keyboard or weak eyes */
	async function violations(page: Page): Promise<string[]> {
		await page.evaluate(axe.source);
		const results = await page.evaluate(
			async () => await (globalThis as never as { axe: typeof axe }).axe.run(),
		);
		return results.violations.map(
			({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
		);
	}

	it.each(kinds)('%s: fits, and works without script', async (type, of, buttons) => {
		const link = ask(of);
		for (const colorScheme of ['light', 'dark'] as const) {
			const page = await open(link, { colorScheme, javaScriptEnabled: false });
			expect(await page.locator('.question').textContent()).toBe(message);
			expect(await page.locator('button').allTextContents()).toEqual(buttons);
			for (const part of await page.locator('main *').all()) {
				const box = (await part.boundingBox())!;
				expect(box.x).toBeGreaterThanOrEqual(0);
				expect(box.x + box.width).toBeLessThanOrEqual(smallest.width);
			}
			for (const target of await page.locator('button, textarea').all()) {
				expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
			}
		}
		const page = await open(link, { javaScriptEnabled: false });
		if (type === 'freeText') await page.locator('textarea').fill('At noon.\nRing <twice>');
		await page.locator('button').last().click();
		expect(await page.locator('h1').textContent()).toBe('Thank you');
		expect(answered).toMatchObject(
			{
				approval: { approved: false },
				choice: { choice: labels.at(-1) },
				freeText: { text: 'At noon.\nRing <twice>' },
			}[type]!,
		);
	});

	it.each(kinds)('%s: nothing stands in the way of assistive technology', async (type, asked) => {
		const link = ask(asked);
		for (const [colorScheme, locale] of looks) {
			const page = await open(link, { colorScheme, locale });
			expect(await violations(page)).toEqual([]);
			expect(await page.locator('html').getAttribute('lang')).toBe(
				locale === 'pt-BR' ? 'pt-BR' : locale.slice(0, 2),
			);
		}
		const page = await open(link);
		expect(await page.title()).not.toBe('broken');
		await page.keyboard.press('Tab');
		if (type === 'freeText') {
			await page.keyboard.type('7');
			await page.keyboard.press('Tab');
		}
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		expect(await violations(page)).toEqual([]);
		expect(answered).toMatchObject(
			{
				approval: { approved: true },
				choice: { choice: labels[0] },
				freeText: { text: '7' },
			}[type]!,
		);
	});

	it('works in n8n, which sends a policy of its own, without script', async () => {
		const { client } = await sharedHost();
		const sandbox = await startSandbox();
		const credential = await client.createCredential(sandbox.credential);
		const workflow = asking(credential, 'Page', { message, responseType: 'freeText' });
		const execution = await client.run(await client.createWorkflow(workflow));
		await client.untilItWaits(execution);
		const page = await open(linksTo(sandbox, to)[0]!, { javaScriptEnabled: false });
		expect(await page.locator('.question').textContent()).toBe(message);
		await page.locator('textarea').fill('At noon.');
		await page.locator('button').click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		const [item] = outputOf(await client.waitForExecution(execution), 'Gateway');
		expect(item?.json.data).toMatchObject({ text: 'At noon.' });
		await sandbox.close();
	});
});
