import fc from 'fast-check';
import { figures } from './n8n';
import { lawful, racing, simulate } from './simulate';

jest.setTimeout(300_000); // ms; what is found is made smaller first

test('whatever happens, nothing breaks the law of sending', async () => {
	const { failed, report } = await simulate(lawful, 60, 1);
	if (failed) throw new Error(report);
	for (const count of Object.values(figures)) expect(count).toBeGreaterThan(0); // none of it is vacuous
});

test('two processes that share n8n’s own store break it', async () => {
	const { failed, report } = await simulate(fc.noShrink(racing), 500, 4); // until one is found
	expect(failed).toBe(true);
	expect(report).toContain('is not sent again');
});
