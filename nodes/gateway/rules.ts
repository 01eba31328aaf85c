import { UserError, type ICredentialDataDecryptedObject as Credential } from 'n8n-workflow';

import { parseHomeCountry } from '../text/country';
import { parsePhoneNumber } from '../text/phoneNumber';
import { quoteValue, isText, textOf } from '../text/text';
import { inCredential } from './explanations';

/** Defaults of the credential's rules. */
export const ruleDefaults = {
	/** Workflow that decides who may be contacted; empty: none. */
	doNotContactWorkflowId: '',
	/** Workflow that keeps deduplication keys; empty: n8n's own store. */
	deduplicationWorkflowId: '',
	/** 0: no limit. */
	requestsPerSecond: 0,
	maxConcurrency: 100,
	testMode: 'off',
	testNumber: '',
	/** In ms. */
	timeout: 30_000,
	maxRetries: 3,
} as const;

const testModes = ['off', 'showOnly', 'redirect'] as const;

/** How messages are sent with an account, whichever node sends them. */
export type Rules = ReturnType<typeof rulesOf>;

/** Fewer are meant as seconds, and would leave every message in doubt. */
const leastTimeoutMs = 1000;

/**
 * The rules in a credential. An empty number means its default; an expression that gives nothing does
 * not switch a rule off.
 *
 * @throws UserError about the first value that cannot be used
 */
export function rulesOf(credential: Credential) {
	const testMode = readTestMode(credential);
	return {
		/** The workflow's ID. */
		doNotContactWorkflow: readWorkflow(credential, 'doNotContactWorkflowId', 'Do Not Contact'),
		/** The workflow's ID; undefined: n8n's own store. */
		deduplicationWorkflow: readWorkflow(credential, 'deduplicationWorkflowId', 'Deduplication'),
		/** Requests that start in a second, to a family of paths; Infinity: no limit. */
		requestsPerSecond:
			readNumber(credential, 'requestsPerSecond', 'Requests per Second', 0) || Infinity,
		/** Requests under way at the same time, to a family of paths. */
		maxConcurrency: Math.floor(readNumber(credential, 'maxConcurrency', 'Max Concurrency', 1)),
		testMode,
		/** In digits: who gets all messages in the test mode `redirect`. */
		testNumber: testMode === 'redirect' ? readTestNumber(credential) : undefined,
		timeoutMs: readTimeout(credential),
		/** Attempts after the first one. */
		maxRetries: readNumber(credential, 'maxRetries', 'Max Retries', 0),
	};
}

const unusable = (label: string, is: string, howTo: string): UserError =>
	new UserError(`'${label}' ${inCredential} ${is}`, { description: howTo });

type NumberRule = 'requestsPerSecond' | 'maxConcurrency' | 'timeout' | 'maxRetries';

function readNumber(credential: Credential, name: NumberRule, label: string, least: number) {
	const entered: unknown = credential[name] ?? '';
	if (entered === '') return ruleDefaults[name];
	const value = isText(entered) && textOf(entered) !== '' ? Number(entered) : NaN;
	if (Number.isFinite(value) && value >= least) return value;
	throw unusable(
		label,
		`must be a number, ${least} or more`,
		`Enter a number, e.g. the default ${ruleDefaults[name]}.`,
	);
}

function readTimeout(credential: Credential): number {
	const ms = readNumber(credential, 'timeout', 'Timeout', 0);
	if (ms >= leastTimeoutMs) return ms;
	throw unusable(
		'Timeout',
		`is in milliseconds, and ${ms} are too few to get an answer`,
		`Enter ${leastTimeoutMs} or more, e.g. ${ruleDefaults.timeout} for 30 seconds.`,
	);
}

/** What was entered is an ID, or a workflow's whole address in the editor. */
const workflowIdIn = (entered: string): string =>
	/\/workflow\/([^/?#]+)/.exec(entered)?.[1] ?? entered;

/** The workflow in the credential. An empty text means none; an expression that gives nothing does not. */
function readWorkflow(
	credential: Credential,
	name: 'doNotContactWorkflowId' | 'deduplicationWorkflowId',
	use: string,
): string | undefined {
	const entered = credential[name];
	if (entered === '' || !(name in credential)) return undefined;
	const id = workflowIdIn(textOf(entered));
	if (id !== '') return id;
	throw unusable(
		`${use} Workflow ID`,
		'is not the ID of a workflow',
		"Enter the last part of the workflow's address in the editor, or leave it empty.",
	);
}

function readTestMode(credential: Credential): (typeof testModes)[number] {
	const testMode = 'testMode' in credential ? credential.testMode : ruleDefaults.testMode;
	const known = testModes.find((mode) => mode === testMode);
	if (known) return known;
	throw unusable(
		'Test Mode',
		`cannot be '${quoteValue(textOf(testMode), String)}'`,
		`Choose from the list, or use an expression that returns ${testModes.join(', ')}.`,
	);
}

function readTestNumber({ testNumber, defaultCountryCode }: Credential): string {
	const entered = textOf(testNumber);
	const home = parseHomeCountry(textOf(defaultCountryCode));
	const { digits, doubt } = parsePhoneNumber(entered, home);
	if (digits && !doubt) return digits;
	throw unusable(
		'Test Number',
		entered === '' ? 'is empty' : `is not a phone number: '${quoteValue(entered, String)}'`,
		"Enter your own number with + and its country code, or set 'Test Mode' to Off.",
	);
}
