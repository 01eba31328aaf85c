import { sleep } from 'n8n-workflow';

import { Limiter } from '../pace/limiter';
import { usualWidth } from '../pace/places';
import type { Job } from './job';
import type { ItemRequest } from './operation';

/**
 * The number of items read ahead of those whose request may be under way. With more, more numbers with
 * several messages each could go in parallel, but a crash would leave more claimed keys in doubt.
 */
const itemsReadAhead = 10;

/** The share of the open items that is left when items with questions, about a key or a permission, are read again. */
const shareLeft = 0.56;

/** The number of items of a dry run that are read at a time: its questions are all it takes time for. */
const itemsShownAtOnce = 100;

/** The longest time, in ms, for which a run keeps n8n's thread from other work. */
const longestBlockingMs = 50;

/** Bounds how many items of a run are open: read, and without a result yet. */
export class Flow {
	private open = 0;
	private resume = () => {};
	/** Once most are open, no item is read until few are: those that are then read together share their questions. */
	private bounds = () => ({ most: 1, few: 0 });
	private yieldedAt = performance.now();

	/** Waits until another item may be read. Each such item ends with `close`. */
	async waitToRead(): Promise<void> {
		if (this.open >= this.bounds().most)
			await new Promise<void>((resolve) => (this.resume = resolve));
		this.open++;
		await this.yieldToEventLoop();
	}

	/** Lets n8n do what waits for its thread, if it has waited for too long. */
	async yieldToEventLoop(): Promise<void> {
		if (performance.now() - this.yieldedAt < longestBlockingMs) return;
		await sleep(0);
		this.yieldedAt = performance.now();
	}

	/** Call when it is known what became of an item. */
	close(): void {
		this.open--;
		if (this.open <= this.bounds().few) this.resume();
	}

	/** Sets how many items may be open, by the latest one that was read. */
	fit({ account, key, permissionFrom, preview, request }: Job): void {
		if (preview) this.bounds = () => ({ most: itemsShownAtOnce, few: 0 });
		// One message leaves at a time, for hours. If none is read ahead, a crash leaves only its key in doubt.
		else if (request.pause?.maxMs) this.bounds = () => ({ most: 1, few: 0 });
		else if (!isWide(request)) this.bounds = () => ({ most: usualWidth, few: usualWidth - 1 });
		else {
			const limiter = Limiter.of(account, request.path);
			const share = key || permissionFrom !== undefined ? shareLeft : 1;
			const most = () => limiter.width(account.maxConcurrency) + itemsReadAhead;
			this.bounds = () => ({ most: most(), few: Math.floor(share * (most() - 1)) });
		}
	}
}

/** Whether a request may be one of many at a time. Files fill the memory, and answers of reads may take megabytes. */
export const isWide = ({ message, pause, readBody }: ItemRequest): boolean =>
	message !== undefined && !readBody && !pause;
