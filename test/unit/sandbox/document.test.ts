import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { OPERATIONAL_ERRORS } from '../../../tools/sandbox';
import { DEFAULT_NAMES, loadDocument, operationsOf } from '../../../tools/sandbox/document';
import { handlers } from '../../../tools/sandbox/handlers';

const root = join(__dirname, '..', '..', '..');

describe('docs/openapi.yaml', () => {
	const operations = operationsOf(loadDocument(DEFAULT_NAMES));

	it('has a handler for each of the twelve operations', () => {
		expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(handlers).sort());
		expect(operations).toHaveLength(12);
	});

	it('lists the error texts of interface §7 at the operations that list them', () => {
		const { paths } = parse(readFileSync(join(root, 'docs/openapi.yaml'), 'utf8')) as {
			paths: Record<
				string,
				Record<string, { operationId: string; responses: { default: Record<string, unknown> } }>
			>;
		};
		const listed = Object.values(paths)
			.flatMap((methods) => Object.values(methods))
			.map(({ operationId, responses }) => [operationId, responses.default['x-error-messages']]);
		const { invalidToken, campaignNotFound, deletionNotAllowed, instanceDisconnected, internal } =
			OPERATIONAL_ERRORS;
		const texts = (...errors: Array<{ message: string }>) => errors.map(({ message }) => message);
		const usual = texts(invalidToken, campaignNotFound, instanceDisconnected, internal);
		expect(Object.fromEntries(listed)).toEqual({
			listApiKeys: undefined,
			revokeApiKey: undefined,
			sendMedia: texts(invalidToken, instanceDisconnected, internal),
			sendAudio: usual,
			sendSms: undefined,
			deleteCampaign: usual.toSpliced(2, 0, deletionNotAllowed.message),
			getChatAppCampaign: usual,
			getSmsCampaign: usual,
			logOutInstance: usual,
			getConnectionState: usual,
			setWebhook: usual,
			getWebhook: undefined,
		});
	});
});
