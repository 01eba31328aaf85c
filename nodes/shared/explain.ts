import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Client } from './client';
import type { Outcome, Reason } from './outcome';
import { serviceTexts } from './serviceTexts';

/** What happened, and how to put it right: the two texts that n8n shows for an error. */
export interface Explanation {
	message: string;
	description: string;
}

/** What to tell of a request that may have been carried out, for operations that do not repeat. */
export interface Uncertainty {
	/** E.g. 'The message may have been sent'. */
	mayHave: string;
	/** How to find out. */
	check: string;
}

type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>;

/**
 * Makes the error of a request that was not accepted. It is made from plain texts, so that neither
 * the request nor its headers are reachable from it, and it holds no key or token.
 */
export function toNodeApiError(
	node: INode,
	client: Client,
	outcome: NotAccepted,
	{ itemIndex, uncertainty }: { itemIndex?: number; uncertainty?: Uncertainty } = {},
): NodeApiError {
	const { text, location } = outcome.reason;
	const clean: Reason = {
		...outcome.reason,
		text: text && shorten(client.redact(text)),
		location: location && client.redact(location),
	};
	const cause = explain(clean, client.origin);
	const { message, description } =
		outcome.kind === 'unknown' && uncertainty ? doubt(uncertainty, cause) : cause;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description,
			httpCode: outcome.reason.status?.toString(),
			itemIndex,
		},
	);
	error.message = message; // n8n replaces a message that contains a network code
	return error;
}

/** A request without a usable answer may have been carried out: that comes first. */
function doubt({ mayHave, check }: Uncertainty, cause: Explanation): Explanation {
	return {
		message: `${mayHave}: ${lowerFirst(cause.message)}`,
		description: `It was not repeated, so that nothing happens twice. ${check} ${cause.description}`,
	};
}

function explain(reason: Reason, origin: string): Explanation {
	return (
		(reason.kind !== 'noAnswer' && knownText(reason.text)) ||
		explainKind[reason.kind](reason, origin)
	);
}

function knownText(text: string | undefined): Explanation | undefined {
	const known = Object.entries(serviceTexts).find(([, value]) => value === text);
	if (!known) return undefined;
	const { message, description } = explainText[known[0] as keyof typeof serviceTexts];
	return { message: `${message}: "${text}"`, description };
}

/** The five texts of interface §7. */
const explainText: Record<keyof typeof serviceTexts, Explanation> = {
	invalidToken: {
		message: 'The service rejected the credential',
		description:
			"Check 'API Key' in the Messaging Gateway credential and, for chat-app operations, 'Instance Token'. The credential's 'Retry' button tests both.",
	},
	campaignNotFound: {
		message: 'The service does not know this campaign',
		description:
			"Check 'Campaign ID' and, when reading, 'Channel'. If campaigns of this account are never found, check 'Campaign ID Parameter' in the credential.",
	},
	deletionNotPermitted: {
		message: 'The service does not allow this campaign to be deleted',
		description:
			"Its documentation does not say when a campaign may be deleted. 'Campaign: Get' shows what state its messages are in.",
	},
	instanceDisconnected: {
		message: 'The chat-app instance is disconnected',
		description:
			"Connect the instance again at your messaging service. 'Instance: Get Connection State' shows whether it is connected.",
	},
	internalError: {
		message: 'The service could not process the request',
		description: 'The fault is on the side of the service. Try again later, or ask its support.',
	},
};

const explainKind: Record<Reason['kind'], (reason: Reason, origin: string) => Explanation> = {
	rejected: ({ status, text }) => ({
		message: `The service refused the request${quote(text, status)}`,
		description:
			status === 404
				? "Check 'Base URL' and, for chat-app operations, 'Chat App Name' in the Messaging Gateway credential, and the ID in this node."
				: status === 401 || status === 403
					? explainText.invalidToken.description
					: 'Check the values of this item against what your messaging service accepts.',
	}),
	validation: ({ text }) => ({
		message: `The service did not accept a value of the request: "${text}"`,
		description:
			"Correct the field that is named. If your service wants a field that this node does not have, add it with 'Additional Body Fields' in the options.",
	}),
	redirect: ({ status, location }) => ({
		message: `The service redirects to ${location ?? 'another address'} (HTTP ${status})`,
		description:
			"Enter the final address as 'Base URL' in the Messaging Gateway credential. Redirects are not followed, so that the API key reaches no other server.",
	}),
	tooManyRequests: ({ text }) => ({
		message: `The service is receiving too many requests${quote(text, 429)}`,
		description:
			"Lower 'Requests per Second' or 'Max Concurrency' in the options, or raise 'Max Retries'.",
	}),
	unavailable: ({ text }) => ({
		message: `The service is not available right now${quote(text, 503)}`,
		description: "Try again later, or raise 'Max Retries' in the options.",
	}),
	unreadable: ({ text }) => ({
		message: 'The file of this item could not be read from the binary data store of n8n',
		description: `Nothing was sent. Run the node that produces the file again${code(text)}.`,
	}),
	blocked: ({ text }) => ({
		message: `The request was not allowed to leave: ${text}`,
		description: "Check 'Base URL' in the Messaging Gateway credential.",
	}),
	neverLeft: ({ text }, origin) => ({
		message: `Could not connect to the service at ${origin}`,
		description: `Check 'Base URL' in the Messaging Gateway credential and that the service is running${code(text)}. For a self-signed certificate, turn on 'Ignore SSL Issues'.`,
	}),
	noAnswer: ({ text }, origin) => ({
		message: `The connection to the service at ${origin} ended without an answer`,
		description: `The service did not answer in time, or the connection broke${code(text)}. 'Timeout' in the options sets how long to wait.`,
	}),
	serverFault: ({ text, status }) => ({
		message: `The service could not process the request${quote(text, status)}`,
		description: explainText.internalError.description,
	}),
	notJson: ({ text, status }) => ({
		message: `The service answered with something other than JSON${quote(text, status)}`,
		description:
			"Check that 'Base URL' in the Messaging Gateway credential is the address of the service itself, not of a website, a proxy or a login page.",
	}),
	empty: ({ status }) => ({
		message: `The service sent an empty answer (HTTP ${status})`,
		description: "Check 'Base URL' in the Messaging Gateway credential.",
	}),
	unusable: ({ text, status }) => ({
		message: `The service sent an answer of an unknown kind${quote(text, status)}`,
		description:
			"The answer does not have the documented shape. Check 'Base URL' in the Messaging Gateway credential.",
	}),
};

const quote = (text: string | undefined, status: number | undefined): string =>
	text ? `: "${text}"` : status === undefined ? '' : ` (HTTP ${status})`;

const code = (text: string | undefined): string => (text ? ` (${text})` : '');

/** Cut only after secrets are out: a part of one would not be found. */
const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
