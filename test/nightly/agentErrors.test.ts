/**
 * What an agent of each version hears of a call that was refused, or is in doubt. Before version 3,
 * LangChain gives the model an empty text where a tool throws, so docs/ai.md recommends to continue.
 */
import type { INode } from 'n8n-workflow';
import { chain } from '../../tools/shared/workflows';
import { toolAnswers, useModel } from '../e2e/agent/model';
import { agent, connectSms } from '../e2e/agent/tools';
import { useHost } from '../e2e/sharedHost';

const host = useHost();
let to: string;
const model = useModel(host, () => [{ To: to, Text: 'Hello Ana' }]);

/** Lets an agent call the tool once. @returns what its model was told */
async function hear(version: number, more: Partial<INode>): Promise<string[]> {
	const workflow = chain('Agent', agent('Say hello to Ana', version));
	connectSms(workflow, model.openAi, host.credential, {}, more);
	const { error } = await host.client.execute(workflow);
	expect(error).toBeUndefined();
	return toolAnswers(model);
}

const cases = {
	refused: { number: 'Ana', text: "'To' is not a phone number: 'Ana'" },
	'in doubt': { number: '+55 11 91234-5678', text: 'may have been sent' },
};

describe.each([1.9, 2, 2.2, 3, 3.1])('an agent of version %d', (version) => {
	describe.each(Object.entries(cases))('of a call that is %s', (_, { number, text }) => {
		beforeEach(() => {
			to = number;
			host.sandbox.fault({ operation: 'sendSms', fault: { status: 502, accept: true } });
		});

		it('hears all, with On Error: Continue', async () => {
			const said = await hear(version, { onError: 'continueRegularOutput' });
			expect(said).toEqual([expect.stringContaining(text)]);
		});

		it(`hears ${version < 3 ? 'nothing' : 'all'}, with On Error unchanged`, async () => {
			const said = await hear(version, {});
			expect(said).toEqual([version < 3 ? '' : expect.stringContaining(text)]);
		});
	});
});
