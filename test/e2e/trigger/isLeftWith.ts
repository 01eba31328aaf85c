import { until } from '../../../host/until';
import type { Account } from './account';

/** n8n ends the listening after its answer to whoever made it end. */
export const isLeftWith = async (account: Account, webhook: string): Promise<void> =>
	await until(`the webhook is ${webhook}`, () => account.left() === webhook, { limit: 300_000 });
