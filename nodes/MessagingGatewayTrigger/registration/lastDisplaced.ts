import type { Webhook } from '../../gateway/endpoints/webhook';
import { remember } from '../../gateway/memory';
import { addressOf } from '../url';
import type { Self } from './self';

/** By service and address: what a webhook had displaced when this process last read or wrote it. */
const found = remember<Webhook[]>(1_000);

const keyOf = ({ client }: Self, url: string): string => client.origin + addressOf(url);

/** In case the service loses a URL, and with it what is sealed there. */
export const lastDisplaced = {
	of: (self: Self, url: string): Webhook[] | undefined => found.get(keyOf(self, url)),

	keep(self: Self, [inForce, ...displaced]: Webhook[]): void {
		if (inForce) found.set(keyOf(self, inForce.url), displaced);
	},
};
