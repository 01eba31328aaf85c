import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What is wrong for people with a screen reader, a keyboard or weak eyes. The page has to be open with
 * `bypassCSP`, if it lets no script in.
 */
export async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const results = await page.evaluate(
		async () => await (globalThis as never as { axe: typeof axe }).axe.run(),
	);
	return results.violations.map(
		({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
	);
}
