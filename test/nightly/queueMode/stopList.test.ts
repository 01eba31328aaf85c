/** The list of who must not be contacted in examples/ for PostgreSQL, by its form, its table and by reply. */
import { outputOf, type WorkflowJson } from '../../../tools/host';
import { prepareExample } from '../../../tools/host/examples';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { chain, gateway, node, startedByPost } from '../../../tools/shared/workflows';
import { testEnvironment } from '../../e2e/environment';
import { publishContactList } from '../../e2e/queueMode/contactLists';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { onlyExecution, postTo, publishIn } from '../../e2e/queueMode/workflows';
import { Account } from '../../e2e/trigger/account';

describeInQueueMode('the list in PostgreSQL', () => {
	let n8n: QueueMode;
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ workers: 1, env: testEnvironment });
		account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	const publish = async (workflow: WorkflowJson) => await publishIn(n8n.main.client, workflow);
	const post = async (path: string, body: object) => await postTo(n8n.webhooks[0]!.url, path, body);
	const executionOf = async (workflowId: string) =>
		await onlyExecution(n8n.main.client, workflowId);

	it('who wrote STOP gets no more', async () => {
		const { client } = n8n.main;
		const postgres = await client.createCredential(n8n.credentials.postgres, 'postgres');
		const credentials = { postgres, messagingGatewayApi: account.credential };
		const file = 'do-not-contact-postgresql';
		const { stop, rules } = await publishContactList(
			client,
			n8n.webhooks[0]!.url,
			file,
			credentials,
		);
		const to = '={{ $json.body.to }}';
		const credential = await account.credentialWith(rules);
		const send = gateway(credential, 'message', 'sendSms', { to, text: 'Hello' });
		await publish(startedByPost('news', 'lastNode', chain('News', send)));
		const [number, other, byHand] = ['5511900100001', '5511900100002', '5511900100003'] as const;
		const news = async (person: string) => await (await post('news', { to: person })).text();
		const inDatabase = async (query: string) => {
			const parameters = { operation: 'executeQuery', query, options: {} };
			const more = { typeVersion: 2.6, credentials: { postgres } };
			const asks = node('Database', 'n8n-nodes-base.postgres', parameters, more);
			return outputOf(await client.execute(chain('Database', asks)), 'Database');
		};
		const listed = async () =>
			(await inDatabase('SELECT number, "to", source, words FROM do_not_contact ORDER BY 1')).map(
				({ json }) => Object.values(json).join(' | '),
			);

		expect(await news(number)).toContain('"messageId"');
		expect(await stop('+55 (11) 90010-0001')).toBe(200);
		expect(await stop('+55 (11) 90010-0001')).toBe(200);
		expect(await stop('hello')).toBe(200);
		await inDatabase("INSERT INTO do_not_contact (number) VALUES ('0055 11 90010.0003'), ('Ana')");
		for (const person of [number, byHand]) {
			expect(await news(person)).toContain('"reason":"doNotContact"');
		}
		expect(await news(other)).toContain('"messageId"');
		expect(await listed()).toEqual([
			`+55 (11) 90010-0001 | ${number} | form | `,
			`0055 11 90010.0003 | ${byHand} |  | `,
			'Ana | to review |  | ',
			'hello | to review | form | ',
		]);

		const replies = await prepareExample(client, 'stop-by-reply-postgresql', credentials);
		const id = await publish(replies);
		await account.deliver([
			{ from: `${other}@example`, text: ' Párar!' },
			{ from: number, text: 'Voltar.' },
			{ from: byHand, text: 'START' }, // whom the office entered stays on the list
			{ from: '90010-0009', text: 'baja' },
		]);
		await client.waitForExecution(await executionOf(id));
		expect(await listed()).toEqual([
			`0055 11 90010.0003 | ${byHand} |  | `,
			`${other}@example | ${other} | reply |  Párar!`,
			'90010-0009 | to review | reply | baja',
			'Ana | to review |  | ',
			'hello | to review | form | ',
		]);
		expect(await news(other)).toContain('"reason":"doNotContact"');
		expect(await news(number)).toContain('"messageId"');
		await client.deactivate(id);
		expect(account.sandbox.accepted()).toHaveLength(3);
	});
});
