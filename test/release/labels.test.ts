/** Pages written by hand name fields in italics, e.g. *Max Retries*: each is still on the screen. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../nodes/MessagingGateway/resources';
import { texts } from '../../nodes/MessagingGateway/response/texts';
import { MessagingGatewayStatusTrigger } from '../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

/** What n8n itself shows: its nodes, settings of a node, buttons. A new one is added here. */
const ofN8n = [
	...['Community nodes', 'Install', 'Settings', 'Fetch Test Event', 'Unrecognized node type'],
	...['On Error', 'Continue', 'Continue (using error output)', 'Retry On Fail', 'Execute Once'],
	...['Predefined Credential Type', 'No action required', 'Add Option'],
	...['Edit Fields', 'Loop Over Items', 'Remove Duplicates', 'Switch', 'Wait'],
	...['Execute Sub-workflow', 'Wait for Sub-Workflow Completion'],
	'When Executed by Another Workflow',
];

const nodes = [MessagingGateway, MessagingGatewayTrigger, MessagingGatewayStatusTrigger].map(
	(Node) => new Node().description,
);
const credential = new MessagingGatewayApi();

const labelsOf = ({ displayName, options = [] }: INodeProperties): string[] => [
	displayName,
	...options.flatMap((option: INodeProperties | INodePropertyOptions | INodePropertyCollection) => {
		if ('values' in option) return option.values.flatMap(labelsOf);
		return 'displayName' in option ? labelsOf(option) : [option.name];
	}),
];

const labels = new Set([
	...ofN8n,
	...[...nodes, credential].map(({ displayName }) => displayName),
	...[...nodes, credential].flatMap(({ properties }) => properties.flatMap(labelsOf)),
	...resources.flatMap(({ name, operations }) =>
		operations.map((operation) => `${name}: ${operation.name}`),
	),
]);
const pageTexts = JSON.stringify(texts);

const root = path.join(__dirname, '../..');
const pages = [
	'README.md',
	...readdirSync(path.join(root, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
];

it.each(pages)('%s', (name) => {
	const prose = readFileSync(path.join(root, name), 'utf8').replace(/```[\s\S]*?```|`[^`]*`/g, '');
	const italics = [...prose.matchAll(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g)].map(([, text]) => text!);
	const unknown = italics
		.flatMap((text) => text.split(' → '))
		.filter((text) => /^[A-Z]/.test(text))
		.filter((text) => !labels.has(text) && !pageTexts.includes(`"${text}"`));
	expect([...new Set(unknown)]).toEqual([]);
});
