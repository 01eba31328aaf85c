/**
 * The pictures in docs/images that docs/screens.md does not have: what of this package can be seen on
 * each, and a note of how that looked when it was taken.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MessagingGatewayApi } from '../credentials/MessagingGatewayApi.credentials';
import { findOperation } from '../nodes/MessagingGateway/operations';
import { questionPage } from '../nodes/MessagingGateway/question/page';
import type { Form } from '../nodes/MessagingGateway/question/question';
import { events } from '../nodes/MessagingGatewayStatusTrigger/events';
import { MessagingGatewayStatusTrigger } from '../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { conflictError } from '../nodes/MessagingGatewayTrigger/errors';
import * as trigger from '../nodes/MessagingGatewayTrigger/panel';
import { properties as triggerProperties } from '../nodes/MessagingGatewayTrigger/form';
import { node } from '../testing/context';
import { exampleFiles, readExample } from './examples';
import { packageFolder } from './paths';
import { digest, visible } from './screens';

const notes = path.join(packageFolder, 'docs', 'images', 'taken.json');

const { description: statusTrigger } = new MessagingGatewayStatusTrigger();

const form = (operation: string): unknown[] =>
	(findOperation('message', operation)?.fields ?? []).map(visible);
const page = (asked: Form): string => questionPage({ title: '', message: '', form: asked }, 'en');
const triggerForm = [triggerProperties.map(visible), trigger.triggerPanel];

const shown: Record<string, unknown> = {
	'ai-tool': form('sendSms'),
	credential: new MessagingGatewayApi().properties.map(visible),
	'human-review': findOperation('message', 'sendAndWait')?.action,
	'question-approval': page({ type: 'approval', approve: 'Yes', disapprove: 'No' }),
	'question-choice': page({ type: 'choice', labels: ['One'] }),
	'question-text': page({ type: 'freeText' }),
	'send-and-wait': [form('sendAndWait'), readExample('approval-by-sms')],
	'send-sms': [form('sendSms'), readExample('crm-contact-to-sms')],
	'status-trigger': [
		events.map(({ name, fields }) => [name, fields.map(visible)]),
		statusTrigger.triggerPanel,
		readExample('campaign-status-to-row'),
	],
	'trigger-listening': [triggerForm, readExample('delivery-report-to-row')],
	'trigger-refusal': [
		conflictError(node, 'foreign', 'https://crm.example.com/hooks/1', 'Publish again').message,
		readExample('delivery-report-to-row'),
	],
	...Object.fromEntries(exampleFiles().map((file) => [`example-${file}`, readExample(file)])),
};

/** Of every picture, by its name without .png, what it would have to show today. */
export const wanted = (): Record<string, string> =>
	Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, digest(value)]));

/** What the pictures show. */
export const taken = (): Record<string, string> =>
	JSON.parse(readFileSync(notes, 'utf8')) as Record<string, string>;

/** To be called when a picture has been taken. */
export function noteTaken(name: string): void {
	const { [name]: now } = wanted();
	if (now === undefined) throw new Error(`host/pictures.ts does not say what '${name}' shows`);
	const entries = Object.entries({ ...taken(), [name]: now });
	const sorted = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b)));
	writeFileSync(notes, `${JSON.stringify(sorted, null, '\t')}\n`);
}
