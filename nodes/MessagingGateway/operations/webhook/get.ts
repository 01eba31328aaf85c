import { operation } from '../../../send/operation';
import { readWebhook } from '../../../service/endpoints/webhook';
import { firstObject } from '../../../service/outcome';

/** Interface §4.12. */
export const webhookGet = operation({
	value: 'get',
	name: 'Get',
	action: 'Get webhook configuration',
	description: 'Get the webhook of the account: its URL, and whether it is on',
	idempotent: true,
	fields: {},

	request: () => ({
		...readWebhook(),
		output(body) {
			const { url, ...rest } = firstObject(body);
			return { url: url ?? null, ...rest };
		},
	}),
});
