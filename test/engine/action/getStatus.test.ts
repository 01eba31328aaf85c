/** The status of messages, from the service's campaigns, each read once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../../tools/sandbox';
import { jsonOf, to, useGateway } from './support';

const gateway = useGateway();

const statuses = async (items: IDataObject[], parameters: INodeParameters = {}, options = {}) =>
	await gateway.run('getSmsStatus', {
		items,
		parameters: { messageId: '={{ $json.id }}', ...parameters },
		options,
	});

describe('a message that was sent', () => {
	it.each([
		['sendSms', 'sms', 'messageId'],
		['sendSms', 'sms', 'to'],
		['sendMedia', 'chatApp', 'messageId'],
		['sendAudio', 'chatApp', 'to'],
	] as const)('by %s is found in %s by %s', async (send, channel, findBy) => {
		const [sent] = jsonOf(await gateway.run(send));
		await gateway.sandbox.advance();
		const run = await statuses([{ ...sent, id: sent!.messageId }], {
			channel,
			findBy,
			to: '+55 11 91234-5678',
		});
		expect(jsonOf(run)).toEqual([
			{
				messageId: sent!.messageId,
				to,
				status: 'sent',
				campaignId: SEEDS.campaigns[channel].running,
				campaignName: 'Envios avulsos',
			},
		]);
		expect(gateway.sandbox.requests().at(-1)).toMatchObject({ valid: true, query: {} });
	});
});
