import type { HostClient } from '../client';

const EXAMPLE = 'Campaign status to row';

/**
 * Publishes the example that watches statuses, before any message is sent.
 *
 * @param examples ids by name
 * @returns a line to print
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
	return `Statuses    '${EXAMPLE}' is published: each change starts an execution, the first within a minute`;
}
