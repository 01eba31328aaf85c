/** The status of messages, from the service's campaigns, each read once. */
import type { INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../../tools/sandbox';
import { jsonOf, to, useGateway } from './support';

const gateway = useGateway();

it.each([
	['sendSms', 'sms', 'messageId'],
	['sendSms', 'sms', 'to'],
	['sendMedia', 'chatApp', 'messageId'],
	['sendAudio', 'chatApp', 'to'],
] as const)('a message that was sent by %s is found in %s by %s', async (send, channel, findBy) => {
	const [sent] = jsonOf(await gateway.run(send));
	const { messageId } = sent!;
	await gateway.sandbox.advance();
	const parameters = { channel, findBy, messageId, to: '+55 11 91234-5678' } as INodeParameters;
	const run = await gateway.run('getSmsStatus', { parameters });
	const campaignId = SEEDS.campaigns[channel].running;
	const found = { messageId, to, status: 'sent', campaignId, campaignName: 'Envios avulsos' };
	expect(jsonOf(run)).toEqual([found]);
	expect(gateway.sandbox.requests().at(-1)).toMatchObject({ valid: true, query: {} });
});
