import type { Sandbox } from '../../sandbox';
import { outputOf, type HostClient } from '../client';

const EXAMPLE = 'CRM contact to SMS';
const SEND = 'Send SMS';

/**
 * Runs the example once and prints the result.
 *
 * @param examples ids by name
 * @throws Error when a message was not sent
 */
export async function runCrmExample(
	client: HostClient,
	sandbox: Sandbox,
	examples: Map<string, string>,
): Promise<void> {
	const workflowId = examples.get(EXAMPLE);
	if (!workflowId) throw new Error(`examples/ has no workflow named '${EXAMPLE}'`);
	const execution = await client.waitForExecution(await client.run(workflowId));
	if (execution.status !== 'success') {
		throw new Error(`'${EXAMPLE}' ended with ${execution.status}: ${execution.error?.message}`);
	}

	const items = outputOf(execution, 'One Item per Contact');
	const sent = outputOf(execution, SEND).map(({ json }) => json);
	const refused = outputOf(execution, SEND, 1).map(({ json }) => json);
	const accepted = sandbox.accepted();
	console.log(
		[
			`Workflow    '${EXAMPLE}', one of ${examples.size} imported: ${execution.status}, ${items.length} contacts`,
			`Sent        to ${list(sent, 'to')}: ${list(sent, 'status')}`,
			`Message IDs ${list(sent, 'messageId')}`,
			`Sandbox     accepted ${accepted.length} messages in ${sandbox.requests({ operation: 'sendSms' }).length} requests`,
		].join('\n'),
	);
	if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`);
	if (accepted.length !== items.length) {
		throw new Error(`${items.length} contacts, but ${accepted.length} messages were accepted`);
	}
}

function list(rows: Array<Record<string, unknown>>, field: string): string {
	return rows.map((row) => String(row[field])).join(', ');
}
