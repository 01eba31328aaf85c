/**
 * The page of a question as a phone shows it, from n8n, which sends a policy of its own: the smallest
 * one, by day and by night, without script.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChromium } from '../../tools/host/editor';
import { describeInChromium, useHost } from './sharedHost';
import { violations } from './support/accessibility';
import { asking, cameOut, linksTo } from './wait/question';

const to = '+5511912345678';
const smallest = { width: 320, height: 568 };

/** With what breaks careless pages. */
const message = [
	'May we <b>deliver</b> "tomorrow" & bring \'it\' up?',
	'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
	'</p><script>document.title = "broken"</script>',
].join('\n');
const labels = [
	'Tomorrow morning',
	'<i>"Noon"</i> & '.repeat(5).trim(),
	'صباح الغد',
	'x'.repeat(80),
];

/** In the nightly tests, each language by day and by night. */
const looks = (['light', 'dark'] as const)
	.flatMap((colorScheme) => ['en-GB', 'pt-BR', 'es-ES'].map((locale) => ({ colorScheme, locale })))
	.filter((_, index) => process.env.THOROUGH ?? index % 4 === 0);

interface Kind {
	type: string;
	parameters: INodeParameters;
	buttons: string[];
	/** Which one is pressed. */
	press: number;
	data: IDataObject;
}

const approval = { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' };
const kinds: Kind[] = [
	{
		type: 'approval',
		parameters: { approvalOptions: { values: approval } },
		buttons: ['Yes', 'No'],
		press: 1,
		data: { approved: false },
	},
	{
		type: 'choice',
		parameters: { choices: { values: labels.map((label) => ({ label })) } },
		buttons: labels,
		press: 0,
		data: { choice: labels[0] },
	},
	{
		type: 'freeText',
		parameters: {},
		buttons: ['Send'],
		press: 0,
		data: { text: 'At noon.\nRing <twice> 👍' },
	},
];

describeInChromium('the page of a question', () => {
	const host = useHost();
	let browser: Browser;
	beforeAll(async () => {
		browser = await startChromium();
	});
	afterAll(async () => await browser?.close());

	async function open(link: string, options: BrowserContextOptions = {}): Promise<Page> {
		const context = await browser.newContext({ viewport: smallest, locale: 'en-GB', ...options });
		context.setDefaultTimeout(60_000);
		const page = await context.newPage();
		await page.goto(link);
		return page;
	}

	it.each(kinds)('$type: fits, everybody can read it, and it needs no script', async (kind) => {
		const { type, parameters, buttons, press, data } = kind;
		const question = { message, responseType: type, ...parameters };
		const { client, sandbox, credential } = host;
		const execution = await client.begin(asking(credential, 'Page', question));
		await client.untilItWaits(execution);
		const link = linksTo(sandbox, to)[0]!;
		for (const look of looks) {
			const page = await open(link, { ...look, bypassCSP: true });
			expect(await violations(page)).toEqual([]);
			const tag = look.locale === 'pt-BR' ? 'pt-BR' : look.locale.slice(0, 2);
			expect(await page.locator('html').getAttribute('lang')).toBe(tag);
			for (const part of await page.locator('main *').all()) {
				const box = (await part.boundingBox())!;
				expect(box.x).toBeGreaterThanOrEqual(0);
				expect(box.x + box.width).toBeLessThanOrEqual(smallest.width);
			}
			for (const target of await page.locator('button, textarea').all()) {
				expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
			}
		}
		expect(await (await open(link)).title()).not.toBe('broken');

		const page = await open(link, { javaScriptEnabled: false });
		expect(await page.locator('.question').textContent()).toBe(message);
		expect(await page.locator('button').allTextContents()).toEqual(buttons);
		await page.keyboard.press('Tab');
		if (data.text) {
			await page.keyboard.insertText(data.text as string);
			await page.keyboard.press('Tab');
		}
		for (let times = 0; times < press; times++) await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Answer recorded' }).waitFor();
		const repeated = data.text ?? buttons[press];
		expect(await page.locator('blockquote').textContent()).toBe(repeated);
		expect((await client.waitForExecution(execution)).status).toBe('success');
		expect(cameOut(sandbox, to)).toMatchObject([{ data }]);
	});
});
