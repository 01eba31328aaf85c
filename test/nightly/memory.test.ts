/** What a list of 10,000 keeps while it waits for its turn, because all of it was read first. */
import { heapInUse } from '../engine/harness/heap';
import { moment, numbers, until, useGateway } from '../engine/action/support';

const limit = 50; // MB

const gateway = useGateway();

/** In MB, with the first requests under way. */
async function heapOf(count: number, onError?: 'continueRegularOutput'): Promise<number> {
	gateway.sandbox.reset();
	gateway.sandbox.fault({ fault: { delayMs: 3_600_000 } });
	const rules = { timeout: 3_600_000 };
	const waiting = await gateway.start('sendSms', { items: numbers(count), rules, onError });
	await until(() => gateway.sandbox.requests().length >= 10);
	const heap = heapInUse() / 2 ** 20;
	waiting.cancel();
	await waiting.finished;
	await moment(); // for requests that were still on their way
	return heap;
}

it('is little', async () => {
	await heapOf(20); // loads what stays in memory
	const oneByOne = await heapOf(10_000, 'continueRegularOutput');
	const kept = (await heapOf(10_000)) - oneByOne;
	console.log(`10,000 items read first keep ${kept.toFixed(0)} MB more`);
	expect(kept).toBeLessThan(limit);
});
