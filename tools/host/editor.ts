import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';
import type { HostClient } from './client';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export const isChromiumInstalled = existsSync(executablePath);

selectors.setTestIdAttribute('data-test-id');

/** The suggestions of Chromium's address bar, a page of their own in each window: half of its CPU time. */
const suggestions = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Features that Playwright disables, whose list the one below replaces. */
const unwanted = ['HttpsUpgrades', 'MediaRouter', 'PaintHolding', 'Translate'];

/** A headless Chromium (CHROMIUM_PATH, default /usr/bin/chromium). */
export const startChromium = async (): Promise<Browser> =>
	await chromium.launch({
		executablePath,
		chromiumSandbox: false,
		args: [
			...['--disable-gpu', '--disable-quic'],
			`--disable-features=${[...suggestions, ...unwanted].join()}`,
		],
	});

interface Appearance {
	scheme?: 'light' | 'dark';
	/** The width of the window, in pixels. */
	width?: number;
	height?: number;
	/** Pixels of a screenshot per pixel of the window. */
	scale?: number;
}

/** An entry in n8n's list of nodes. */
export interface Found {
	name: string;
	description: string;
}

/** n8n's editor in Chromium. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
	) {}

	/** Signed in like the client. */
	static async start(
		url: string,
		client: HostClient,
		{ scheme = 'light', width = 1400, height = 900, scale = 1 }: Appearance = {},
	): Promise<Editor> {
		const browser = await startChromium();
		const context = await browser.newContext({
			baseURL: url,
			viewport: { width, height },
			colorScheme: scheme,
			deviceScaleFactor: scale,
		});
		context.setDefaultTimeout(60_000); // the machine may be busy
		await context.addCookies(client.cookies());
		return new Editor(browser, await context.newPage());
	}

	async stop(): Promise<void> {
		await this.browser.close();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`workflow/${id}`);
	}

	async openCredential(id: string): Promise<void> {
		await this.page.goto(`home/credentials/${id}`);
		await this.page.getByTestId('credential-edit-dialog').waitFor();
	}

	/** Runs the open workflow with the button, to its end. @param trigger to start from, if there are several */
	async execute(trigger?: string): Promise<void> {
		if (trigger) await this.node(trigger).hover();
		await this.page.getByTestId(`execute-workflow-button${trigger ? `-${trigger}` : ''}`).click();
		const toast = this.page.getByRole('alert').first();
		await toast.waitFor();
		await toast.locator('.el-notification__closeBtn').click();
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.page.getByTestId('node-parameters').waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	/** Opens the list of nodes, in a workflow that has a node. */
	async openNodeCreator(): Promise<void> {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	/** Returns the entries of the open list of nodes, from top to bottom, once it no longer changes. */
	async search(text: string): Promise<Found[]> {
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		const entries = this.page.getByTestId('item-iterator-item');
		for (let before: Found[] | undefined; ;) {
			await this.page.waitForTimeout(500); // n8n debounces
			const now = await entries.evaluateAll((elements) =>
				elements
					.map((element) =>
						['name', 'description'].map(
							(part) =>
								element
									.querySelector(`[data-test-id="node-creator-item-${part}"]`)
									?.textContent?.trim() ?? '',
						),
					)
					.map(([name = '', description = '']) => ({ name, description })),
			);
			if (JSON.stringify(now) === JSON.stringify(before)) return now;
			before = now;
		}
	}

	private node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/**
	 * Labels of the open node's fields in order, without the credential, once all are shown.
	 *
	 * @param count how many there should be: a busy editor shows them in several steps
	 */
	async fields(count: number): Promise<string[]> {
		const labels = this.page.locator(
			'[data-test-id="node-parameters"] [data-test-id="parameter-item"] [data-test-id="input-label"]:visible',
		);
		await labels
			.nth(count - 1)
			.waitFor()
			.catch(() => {});
		for (let before: string[] = []; ;) {
			const texts = await labels.allInnerTexts();
			const now = texts.map((text) => text.split('\n')[0]?.trim() ?? '');
			if (now.length > 0 && now.join() === before.join()) return now;
			before = now;
			await this.page.waitForTimeout(200);
		}
	}
}
