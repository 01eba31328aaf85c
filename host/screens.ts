/** What docs/screens.md shows, and the page itself. */
import { createHash } from 'node:crypto';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { MessagingGatewayApi } from '../credentials/MessagingGatewayApi.credentials';
import { resources } from '../nodes/MessagingGateway/operations';
import { events } from '../nodes/MessagingGatewayStatusTrigger/events';
import { MessagingGatewayStatusTrigger } from '../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import * as trigger from '../nodes/MessagingGatewayTrigger/panel';
import { properties as triggerProperties } from '../nodes/MessagingGatewayTrigger/form';
import { pinned } from './paths';

const credential = new MessagingGatewayApi();
const { description: statusTrigger } = new MessagingGatewayStatusTrigger();

export interface Screen {
	/** Of its two pictures, `<name>.png` and `<name>-dark.png`. */
	name: string;
	title: string;
	/** What of the code can be seen on it. */
	shows: unknown;
	/** As it is drawn in the page, in pixels; default: of a node's form. */
	width?: number;
}

/** A node's form where these values are selected. */
export interface FormScreen extends Screen {
	parameters: Record<string, string>;
}

export const operationScreens: FormScreen[] = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}-${operation.value}`,
		title: `${resource.name}: ${operation.name}`,
		shows: [resource.name, operation.name, operation.fields.map(visible)],
		parameters: { resource: resource.value, operation: operation.value },
	})),
);

export const eventScreens: FormScreen[] = events.map((event) => ({
	name: `statusTrigger-${event.value}`,
	title: `Status Trigger: ${event.name}`,
	shows: [event.name, event.fields.map(visible), statusTrigger.triggerPanel],
	parameters: { event: event.value },
	width: 890,
}));

const sendSms = resources
	.flatMap(({ operations }) => operations)
	.find(({ value }) => value === 'sendSms')!;

/** All of them, as they are when they are added. */
export const sendSmsOptions = Object.fromEntries(
	(sendSms.options ?? []).map(({ name, default: value }) => [name, value]),
) as INodeParameters;

/** The others, by their names. */
export const screens = {
	nodeCreator: {
		name: 'node-creator',
		title: 'Searching for “sms”',
		shows: [trigger.description, statusTrigger.description],
	},
	nodeActions: {
		name: 'node-actions',
		title: 'What the node can do',
		shows: resources.map(({ operations }) => operations.map(({ action }) => action)),
	},
	sendSmsOptions: {
		name: 'message-sendSms-options',
		title: 'The options of Message: Send SMS',
		shows: [sendSms.options?.map(visible)],
	},
	trigger: {
		name: 'trigger',
		title: 'Trigger',
		shows: [triggerProperties.map(visible), trigger.triggerPanel],
		width: 890,
	},
	credential: {
		name: 'credential',
		title: 'Credential',
		shows: credential.properties.map(visible),
		width: 720,
	},
	credentialAdvanced: {
		name: 'credential-advanced',
		title: 'Credential, with Advanced switched on',
		shows: credential.properties.map(visible),
		width: 720,
	},
	error: {
		name: 'error',
		title: 'What is said of a message that was not sent',
		shows: null,
	},
} satisfies Record<string, Screen>;

const chapters: Array<[title: string, screens: Screen[]]> = [
	['Find it', [screens.nodeCreator, screens.nodeActions]],
	['Connect it', [screens.credential, screens.credentialAdvanced]],
	...resources.map(({ value, name }): [string, Screen[]] => [
		name,
		[
			...operationScreens.filter(({ parameters }) => parameters.resource === value),
			...(value === 'message' ? [screens.sendSmsOptions, screens.error] : []),
		],
	]),
	['Triggers', [screens.trigger, ...eventScreens]],
];

export const allScreens = chapters.flatMap(([, entries]) => entries);

/** Relative to the page. */
export const picturesFolder = 'images/forms';

/** The page: what it says of each form tells whether its pictures are still those of the code. */
export function screensPage(): string {
	const text = chapters.map(
		([title, entries]) => `## ${title}\n\n${entries.map(entryOf).join('\n\n')}`,
	);
	return `# Every form

As the editor of n8n ${pinned.version} draws it, light or dark as you have set your screen. Behind **Options**, **Filters** and the like are fields that most workflows leave alone. A description of each field shows when you point at its name.

<!-- Written by \`npx tsx host/screenshots.ts forms\`, as are the pictures. -->

${text.join('\n\n')}
`;
}

const entryOf = ({ name, title, shows, width = 420 }: Screen): string =>
	`### ${title}

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="${picturesFolder}/${name}-dark.png">
  <img src="${picturesFolder}/${name}.png" width="${width}" alt="${title}">
</picture>

<!-- ${digest(shows)} -->`;

/** Tells whether something has changed. */
export const digest = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** Of a field, what can be seen before anybody points at it. */
export function visible({
	displayName,
	name,
	type,
	default: value,
	placeholder,
	hint,
	options = [],
}: INodeProperties): unknown {
	const labels = (
		options as Array<INodePropertyOptions | INodeProperties | INodePropertyCollection>
	)
		.filter(() => type === 'options' || type === 'collection')
		.map((option) => ('displayName' in option ? option.displayName : option.name));
	return { displayName, name, type, value, placeholder, hint, labels };
}
