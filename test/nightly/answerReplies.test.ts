/** Answer replies without going round in circles: machines come to an end, and people get one answer. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialReference, WorkflowJson } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { ana, parametersOf } from '../e2e/examples/example';
import { rowsOf } from '../e2e/examples/tables';
import { useConsent } from './consentStores';

const consent = useConsent();
const { host, importExample } = consent;
const answer = /A colleague will answer it/;

/** Long enough for another answer to leave, if one was to. */
const quiet = async () => await sleep(8_000);

const waitsASecond = (workflow: WorkflowJson): void =>
	void Object.assign(parametersOf(workflow, 'Wait 20 Seconds'), { amount: 1 });

/** Publishes both workflows with an account. */
async function publish(messagingGatewayApi: CredentialReference): Promise<void> {
	const more = { messagingGatewayApi };
	const answers = await importExample('answer-replies', waitsASecond, more);
	await answers.publish();
	const replies = await importExample(
		'stop-by-reply',
		(workflow) => {
			const passesOn = workflow.nodes.find(({ name }) => name === 'Answer Replies')!;
			passesOn.disabled = false;
			// As n8n's editor does, so that two copies can be published.
			for (const node of workflow.nodes) if (node.webhookId) node.webhookId = randomUUID();
			passesOn.parameters.workflowId = { __rl: true, mode: 'id', value: answers.id };
		},
		more,
	);
	await replies.publish();
}

describe('answer-replies', () => {
	beforeEach(async () => await publish(host.credential));

	const answersTo = (to: string) =>
		host.sandbox.accepted({ to }).filter(({ text }) => answer.test(text)).length;

	it('two copies that answer each other: it ends after three each, and a person is told once', async () => {
		const [here, there] = ['+5511900700001', '+5511900700002'] as const;
		const other = await startSandbox();
		await publish(await host.client.createCredential(other.credential));
		const sides: Array<[Sandbox, string, Sandbox, string]> = [
			[host.sandbox, here, other, there],
			[other, there, host.sandbox, here],
		];
		const passed = new Set<string>();
		/** What one has sent reaches the other. */
		const passOn = async () => {
			for (const [from, sender, to, receiver] of sides)
				for (const { messageId, text } of from.accepted({ to: receiver })) {
					if (passed.has(messageId)) continue;
					passed.add(messageId);
					await to.deliver({ from: sender.slice(1), text, messageId: `in-${messageId}` });
				}
		};
		const told = () => host.sandbox.accepted({ to: ana }).map(({ text }) => text);
		try {
			await host.sandbox.deliver({ from: there.slice(1), text: 'Hello', messageId: 'in-first' });
			await until('a person is told', async () => {
				await passOn();
				return told().length > 0;
			});
			for (const number of [1, 2])
				await host.sandbox.deliver({
					from: there.slice(1),
					text: 'Hello?',
					messageId: `in-${number}`,
				});
			for (let times = 0; times < 4; times++) {
				await sleep(2_000);
				await passOn();
			}
			expect(answersTo(there)).toBe(3);
			expect(other.accepted({ to: here }).map(({ text }) => text)).toEqual(
				Array(3).fill(expect.stringMatching(answer)),
			);
			expect(told()).toEqual([
				expect.stringContaining(`${there} has had 3 answers within an hour`),
			]);
		} finally {
			await other.close();
		}
	});

	it('a delivery that comes twice, and three in quick succession: one answer each', async () => {
		const [twice, quick] = ['+5511900700003', '+5511900700004'] as const;
		const delivery = { from: twice.slice(1), text: 'Where is my order?', messageId: 'in-twice' };
		await Promise.all([host.sandbox.deliver(delivery), host.sandbox.deliver(delivery)]);
		const texts = ['Hi', 'where is my order', '4711?'];
		for (const text of texts)
			await host.sandbox.deliver({ from: quick.slice(1), text, messageId: `in-${text}` });
		await until('both are answered', () => answersTo(twice) > 0 && answersTo(quick) > 0);
		await quiet();
		await host.sandbox.deliver(delivery);
		await quiet();
		expect([answersTo(twice), answersTo(quick)]).toEqual([1, 1]);
		const rows = (await rowsOf(host.client, 'Replies to answer')).filter(({ to }) => to === quick);
		expect(rows.map(({ together }) => together ?? '').filter(Boolean)).toEqual([texts.join('\n')]);
	});

	it.each(['I am out of the office until Monday.', 'Resposta automática: não responda.', 'STOP'])(
		'no answer to: %s',
		async (text) => {
			const to = '+5511900700005';
			await host.sandbox.deliver({ from: to.slice(1), text, messageId: `in-${text}` });
			await quiet();
			expect(answersTo(to)).toBe(0);
		},
	);
});
