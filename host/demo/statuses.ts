import type { HostClient } from '../client';

const EXAMPLE = 'Campaign status to row';

/**
 * Publishes the example that is told when a message gets another status, before any is sent.
 *
 * @param examples ids by name
 * @returns what to tell a person of it
 * @throws Error when it cannot be published
 */
export async function watchStatuses(
	client: HostClient,
	examples: Map<string, string>,
): Promise<string> {
	const { status, triggers } = await client.activate(examples.get(EXAMPLE) ?? '');
	if (status !== 'published') {
		const text = triggers.map(({ errorMessage }) => errorMessage).join();
		throw new Error(`'${EXAMPLE}' could not be published: ${text || status}`);
	}
	return `Statuses    '${EXAMPLE}' is published: within a minute, and then with each change, see its executions`;
}
