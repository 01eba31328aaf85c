/** The page of a question as a phone shows it: the smallest one, by day and by night, without script. */
import axe from 'axe-core';
import type { INodeParameters } from 'n8n-workflow';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { outputOf, type CredentialReference, type HostClient } from '../../host';
import { isChromiumInstalled, startChromium } from '../../host/editor';
import { startSandbox, type Sandbox } from '../../sandbox';
import { sharedHost } from './sharedHost';
import { asking, linksTo, yesOrNo } from './wait/question';

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

const kinds: Array<[string, INodeParameters, buttons: string[]]> = [
	['approval', yesOrNo, ['Yes', 'No']],
	['choice', { choices: { values: labels.map((label) => ({ label })) } }, labels],
	['freeText', { options: { pageTitle: 'Order <4711>' } }, ['Send']],
];

(needs ? describe.skip : describe)(`the page of a question${needs}`, () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let credential: CredentialReference;
	let browser: Browser;
	let execution: string;

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox();
		credential = await client.createCredential(sandbox.credential);
		browser = await startChromium();
	});
	beforeEach(() => sandbox.reset());
	afterEach(async () => {
		await Promise.all(browser.contexts().map(async (context) => await context.close()));
	});
	afterAll(async () => {
		await browser?.close();
		await sandbox?.close();
	});

	/** Asks, and gives the link. */
	async function ask(responseType: string, parameters: INodeParameters): Promise<string> {
		const workflow = asking(credential, 'Page', { message, responseType, ...parameters });
		execution = await client.run(await client.createWorkflow(workflow));
		await client.untilItWaits(execution);
		return linksTo(sandbox, to)[0]!;
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

	const answered = async (): Promise<unknown> => {
		const [item] = outputOf(await client.waitForExecution(execution), 'Gateway');
		return item?.json.data;
	};

	it.each(kinds)('%s: fits, and works without script', async (type, parameters, buttons) => {
		const link = await ask(type, parameters);
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
		expect(await answered()).toMatchObject(
			{
				approval: { approved: false },
				choice: { choice: labels.at(-1) },
				freeText: { text: 'At noon.\nRing <twice>' },
			}[type]!,
		);
	});

	it.each(kinds)(
		'%s: nothing stands in the way of assistive technology',
		async (type, parameters) => {
			const link = await ask(type, parameters);
			for (const colorScheme of ['light', 'dark'] as const) {
				for (const locale of ['en-GB', 'pt-BR', 'es-ES']) {
					const page = await open(link, { colorScheme, locale });
					expect(await violations(page)).toEqual([]);
					expect(await page.locator('html').getAttribute('lang')).toBe(
						locale === 'pt-BR' ? 'pt-BR' : locale.slice(0, 2),
					);
				}
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
			expect(await answered()).toMatchObject(
				{
					approval: { approved: true },
					choice: { choice: labels[0] },
					freeText: { text: '7' },
				}[type]!,
			);
		},
	);

	it('an answer without a text is told beside the field', async () => {
		const page = await open(await ask('freeText', {}), { colorScheme: 'dark' });
		await page.locator('button').click(); // the browser itself asks for a text
		expect(await page.locator('.flaw').count()).toBe(0);
		await page.locator('textarea').fill('   ');
		await page.locator('button').click();
		await page.locator('.flaw').waitFor();
		expect(await page.title()).toMatch(/^Please enter an answer\./);
		expect(await violations(page)).toEqual([]);
		expect(await page.evaluate('document.activeElement.id')).toBe('answer');
		await page.locator('textarea').fill('Yes');
		await page.locator('button').click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		expect(await answered()).toMatchObject({ text: 'Yes' });
	});
});
