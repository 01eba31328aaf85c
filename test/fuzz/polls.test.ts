/** Every event of the Status Trigger copes with whatever the service answers. */
import fc from 'fast-check';

import { events } from '../../nodes/MessagingGatewayStatusTrigger/form';
import { PolledNode } from '../unit/statusTrigger/support';
import { withoutQuotations } from '../unit/support/wording';
import { fuzz } from './support/fuzz';

const words =
	'campaigns campaignId messages messageId status statistics total id name state connected instance nome __proto__';
const { any } = fc.letrec((tie) => ({
	any: fc.oneof(
		{ depthSize: 'small' },
		fc.constantFrom(null, true, 0, 1.5, '', 'c', 'sent', 'open', 'toString'),
		fc.array(tie('any'), { maxLength: 4 }),
		fc.dictionary(fc.constantFrom(...words.split(' ')), tie('any'), { maxKeys: 5 }),
	),
}));

fuzz(
	'every event copes with any answer',
	fc.record({
		event: fc.constantFrom(...events.map(({ value }) => value)),
		simplify: fc.boolean(),
		answers: fc.array(any, { minLength: 2, maxLength: 5 }),
	}),
	async ({ answers, ...parameters }) => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0); // no waits between tries
		let body: unknown;
		const node = new PolledNode({
			parameters: { channel: 'sms', campaignIds: 'c', ...parameters },
			answer: () => ({ statusCode: 200, body }),
		});
		for (const [index, answer] of answers.entries()) {
			body = answer;
			if (index === 0) await node.activate({ activationMode: 'init' });
			else await node.poll();
		}
		random.mockRestore();
		for (const { name } of node.errors) expect(name).toMatch(/^Node(Api|Operation)Error$/);
		const texts = node.failures.map(withoutQuotations);
		expect(texts.join()).not.toMatch(/undefined|null|\[object|is not|cannot/i);
		JSON.stringify(node.items);
	},
	{ share: 2 },
);
