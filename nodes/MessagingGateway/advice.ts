import type { Advice } from '../gateway/errors';
import type { Operation } from './operation';

type Form = Pick<Operation, 'fields' | 'options' | 'waits'>;

/** What the fields and options of an operation can do about a request that was not accepted. */
export function adviceFor({ fields, options = [], waits }: Form): Advice {
	const labels = new Map(
		[...fields, ...options].map(({ name, displayName }) => [name, displayName]),
	);
	const quote = (...names: string[]) =>
		names.flatMap((name) => (labels.has(name) ? [`'${labels.get(name)}'`] : [])).join(' and ');
	const campaign = quote('campaignId', 'channel');
	const id = quote('keyId', 'campaignId', 'instance');
	const hasValues = fields.some(({ type }) => type !== 'notice');
	const retries = "'Max Retries' in the options";
	return {
		campaignNotFound: campaign && `Check ${campaign}.`,
		deletionNotPermitted: "'Campaign: Get' shows what state its messages are in.",
		instanceDisconnected: "'Instance: Get Connection State' shows whether it is connected.",
		rejected: hasValues
			? 'Check the values of this item against what your messaging service accepts.'
			: undefined,
		notFound: id && `Check ${id} in this node, too.`,
		validation: labels.has('additionalBodyFields')
			? "Correct the field that is named. If your service wants a field that this node does not have, add it with 'Additional Body Fields' in the options."
			: 'Correct the field that is named.',
		tooManyRequests: waits
			? `Or raise ${retries}.`
			: "Set 'Requests per Second' in the options, lower 'Max Concurrency', or raise 'Max Retries'.",
		unavailable: `${retries} says how often this node does so by itself.`,
		unreadable: 'Run the node that produces the file again.',
		noAnswer: "'Timeout' in the options sets how long to wait.",
	};
}
