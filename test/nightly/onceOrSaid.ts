import { outputOf, type FinishedExecution } from '../../tools/host';
import type { Sandbox } from '../../tools/sandbox';

/**
 * Expects that each of a list was sent once at most, and that an execution, which has sent it again,
 * says so of what was not sent.
 *
 * @returns what it says of them, as JSON
 */
export function expectOnceOrSaid(
	sandbox: Sandbox,
	rows: Array<{ to: string }>,
	execution: FinishedExecution,
): { said: string[]; inDoubt: string[]; skipped: string[]; sent: string[] } {
	const said = outputOf(execution, 'Gateway').map(({ json }) => JSON.stringify(json));
	expect(said).toHaveLength(rows.length);
	for (const [index, row] of rows.entries()) {
		const times = sandbox.timesAccepted(row);
		expect(times).toBeLessThanOrEqual(1);
		if (times === 0) expect(said[index]).toContain('may have been sent');
	}
	const all = {
		inDoubt: said.filter((json) => json.includes('may have been sent')),
		skipped: said.filter((json) => json.includes('"skipped":true')),
		sent: said.filter((json) => json.includes('"messageId"')),
	};
	expect(Object.values(all).flat()).toHaveLength(rows.length);
	return { said, ...all };
}
