import { IANAZone } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { itemData } from '../n8n/agentItems';
import { parseDefaultCountry, parseCountries, type DefaultCountry } from '../text/country';
import { parsePause } from '../text/pause';
import { zoneHint } from '../text/sendingHours';
import {
	withNames,
	parsedField,
	secretField,
	wordField,
	workflowIdField,
	numericField,
	shownWhile,
	switchField,
} from './credentialField';

export const credentialType = 'messagingGatewayApi';

/** Returns an address without a trailing slash. */
function parseBaseUrl(text: string): URL | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) return undefined;
	url.search = '';
	url.hash = '';
	// People copy the address of an endpoint.
	url.pathname = url.pathname.replace(/\/v[12](?:\/.*)?$/, '').replace(/\/+$/, '');
	return url;
}

export const chatAppNameIs =
	"the word between /v2/ and /message in the addresses of your service's documentation";

/** The credential's fields, in the order of the form. */
export const credentialFields = withNames({
	/** A path prefix stays, an endpoint's path goes. */
	baseUrl: parsedField<Readonly<URL>>({
		displayName: 'Base URL',
		required: true,
		placeholder: 'e.g. https://api.example.com',
		description:
			'Address of your messaging service: only the part before <code>/v1</code> or <code>/v2</code>',
		kind: 'a web address',
		correction: 'Enter the full address of the service, e.g. https://api.example.com.',
		parseText: parseBaseUrl,
	}),
	apiKey: secretField({
		displayName: 'API Key',
		required: true,
		description: 'API key of your account with the messaging service',
	}),
	defaultCountryCode: parsedField<DefaultCountry | undefined>({
		displayName: 'Default Country Code',
		placeholder: 'e.g. 55, BR or Brazil',
		description:
			'Country of numbers without +. <code>included</code>: their digits begin with it. If empty, each needs +.',
		kind: 'a country',
		correction:
			'Enter a calling code, e.g. 55, a country, e.g. BR or Brazil, or the word included, or leave it empty.',
		parseText: parseDefaultCountry,
	}),
	/** The time zone of `schedule` (§2.4), which has no offset; undefined for the workflow's. */
	smsScheduleTimezone: parsedField<string | undefined>({
		displayName: 'SMS Schedule Timezone',
		placeholder: 'e.g. America/Sao_Paulo',
		description:
			"Time zone in which your service reads scheduled SMS. If empty, they are sent in the workflow's, which may be another.",
		kind: 'a time zone',
		correction: zoneHint,
		parseText: (zone) => (IANAZone.isValidZone(zone) ? zone : undefined),
	}),
	chatApp: switchField({
		displayName: 'Chat App',
		noDataExpression: true,
		hint: 'For images, files, voice messages and campaigns of a chat app. SMS works without it.',
		description: 'Whether to use the chat app that is connected to your messaging service',
	}),
	...shownWhile('chatApp', {
		/** The name in `/v2/<name>/…` and in `<name>_mode` (§4); empty until it is entered. */
		chatAppName: wordField({
			displayName: 'Chat App Name',
			hint: "Copy it from your service's addresses: …/v2/this-word/message/…",
			description: "The word between /v2/ and /message in your service's addresses",
		}),
		instanceToken: secretField({
			displayName: 'Instance Token',
			description: 'Token of your chat-app instance',
		}),
		chatAppPause: parsedField({
			displayName: 'Pause Between Messages',
			default: '1-3',
			placeholder: 'e.g. 1-3',
			hint: 'In seconds: a number, or a range such as 5-30. 0 means no pause.',
			description: 'How far apart messages leave. Chat apps block numbers that send too fast.',
			kind: 'a number of seconds',
			correction: 'Enter seconds: a number such as 2, a range such as 1-3, or 0 for no pause.',
			parseText: parsePause,
		}),
		/** The body field that schedules an audio message (§2.3). */
		audioScheduleField: wordField({
			displayName: 'Audio Schedule Field',
			default: 'scheduled_at',
			description: 'Body field that contains the time of a scheduled audio message',
		}),
	}),
	allowedCountries: parsedField<string[] | undefined>({
		displayName: 'Only These Countries',
		placeholder: 'e.g. BR, Portugal',
		description:
			'Countries that messages may go to, e.g. BR, Portugal. Numbers of others are refused. If empty, all are allowed.',
		kind: 'a list of countries',
		correction: 'Enter countries with commas, e.g. BR, Portugal, or leave it empty.',
		parseText: parseCountries,
	}),
	/** Whether everything that sends is a dry run. An expression that gives nothing must not switch it off. */
	testMode: parsedField({
		displayName: 'Test Mode',
		type: 'boolean',
		default: false,
		description:
			'Whether to send nothing and only show what would be sent, in every workflow with this account',
		kind: 'on or off',
		correction: 'Use an expression that returns true or false. Nothing was sent.',
		parseText: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined),
	}),
	doNotContactWorkflowId: workflowIdField({
		displayName: 'Do Not Contact Workflow ID',
		description:
			'Published workflow that decides who may be contacted. Without its answer, nothing is sent.',
	}),
	deduplicationWorkflowId: workflowIdField({
		displayName: 'Deduplication Workflow ID',
		description:
			'Published workflow that keeps deduplication keys, for several workers. If empty, n8n keeps 20,000 of each node.',
	}),
	n8nAddress: parsedField<string | undefined>({
		displayName: 'Only Use in This n8n',
		placeholder: 'e.g. https://n8n.example.com',
		description:
			'Address of the only n8n that may use this account. A copy at another address sends nothing.',
		kind: 'an address',
		correction:
			'Enter the address of your n8n, or an expression that returns it. Nothing was sent or changed.',
		parseText: (address) => address,
	}),
	/** The limit of each family of paths. */
	requestsPerSecond: numericField({
		displayName: 'Requests per Second',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 0,
		description: 'How many requests to start per second, in all executions. 0 means no limit.',
		least: 0,
		meaningOf: (perSecond) => perSecond || Infinity,
	}),
	/** The limit of each family of paths. */
	maxConcurrency: numericField({
		displayName: 'Max Concurrency',
		typeOptions: { minValue: 1 },
		default: 100,
		description:
			'The most requests to make at the same time, in all executions. A list begins with 10.',
		least: 1,
		meaningOf: Math.floor,
	}),
	serviceDetails: switchField({
		displayName: 'Service Details',
		noDataExpression: true,
		hint: 'How the API key is sent, names of parameters, timeout, retries and SSL',
		description: 'Whether to change what differs between services. Off means the defaults.',
	}),
	...shownWhile('serviceDetails', {
		sendKeyAs: parsedField({
			displayName: 'Send API Key As',
			type: 'options',
			options: [
				{ name: 'API Key Header', value: 'apiKeyHeader', description: 'In the header X-API-Key' },
				{ name: 'Bearer Token', value: 'bearer', description: 'In the header Authorization' },
			],
			default: 'apiKeyHeader',
			description: 'How the API key is sent',
			kind: 'one of its choices',
			correction: 'Choose from the list, or use an expression that returns apiKeyHeader or bearer.',
			parseText: (text) => (['apiKeyHeader', 'bearer'] as const).find((value) => value === text),
		}),
		/** The time limit in ms. Less is meant as seconds, and would leave every message in doubt. */
		timeout: numericField({
			displayName: 'Timeout',
			default: 30_000,
			hint: 'In milliseconds: 1000 are one second',
			description: 'How long to wait for an answer from the service',
			least: 1000,
		}),
		maxRetries: numericField({
			displayName: 'Max Retries',
			typeOptions: { minValue: 0 },
			default: 3,
			description:
				'How often to retry if the service is busy or unreachable. A message that may have been sent is never retried.',
			least: 0,
		}),
		/** §4.7, §4.8. */
		campaignIdParameter: wordField({
			displayName: 'Campaign ID Parameter',
			default: 'campaignId',
			description: 'Query parameter that contains the campaign ID',
		}),
		/** §4.1. */
		keyStatusParameter: wordField({
			displayName: 'Key Status Parameter',
			default: 'status',
			description: 'Query parameter that filters API keys by status',
		}),
		allowUnauthorizedCerts: switchField({
			displayName: 'Ignore SSL Issues (Insecure)',
			description:
				"Whether to connect even if the service's certificate cannot be verified, e.g. because it is self-signed",
		}),
	}),
});

const itemFieldsName = 'itemFields';
// `$parameter` reads a field of the node, which may read an item.
const readsItem = `{ try { const text = $rawParameter["&" + name]; return text.startsWith("=") && (${String(itemData)}.test(text) || text.includes("$parameter")) } catch { return false } }`;

/**
 * A hidden field that gives the names of the fields with an expression that reads an item. It names itself
 * as one, which shows that n8n still tells. It does so for the first item only: it doubles the time of a read.
 */
export const itemFields: INodeProperties = {
	displayName: 'Fields From Items',
	name: itemFieldsName,
	type: 'hidden',
	description: 'Names of the fields whose expression reads an item',
	default: `={{ $itemIndex > 0 ? "" : ${JSON.stringify([...Object.keys(credentialFields), itemFieldsName])}.filter((name) => ${readsItem}).join() }}`,
};
