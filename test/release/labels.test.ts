/** Pages written by hand name what stands on the screen in italics, e.g. *Max Retries*: it still does. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../nodes/MessagingGateway/operations';
import { MessagingGatewayStatusTrigger } from '../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';

/** What n8n itself shows: its nodes, settings of a node, buttons. A new one is added here. */
const ofN8n = [
	...['Community nodes', 'Install', 'Settings', 'Fetch Test Event', 'Unrecognized node type'],
	...['On Error', 'Continue', 'Continue (using error output)', 'Retry On Fail', 'Execute Once'],
	...['Create new credential', 'Retry', 'Stop', 'Predefined Credential Type', 'Uninstall package'],
	...['No action required', 'Add Option', 'Poll Times'],
	...['Import from URL', 'Import from File', 'Execute workflow', 'Publish', 'Data tables'],
	...[
		'HTTP Request',
		'Extract from File',
		'Edit Fields',
		'Loop Over Items',
		'Remove Duplicates',
		'Switch',
		'Wait',
	],
	...['Execute Sub-workflow', 'Wait for Sub-Workflow Completion'],
	'When Executed by Another Workflow',
	// Of an agent's tools and of the MCP Server Trigger.
	...['AI Agent', 'System Message', 'Tools', 'Tool Description', 'Set Manually', 'Description'],
	...['Let the model define this parameter', 'Send SMS in Messaging Gateway'],
	...['Bearer Auth', 'None', 'Production URL', 'Streamable HTTP'],
	...['Tell That Order Was Shipped', 'Get Campaign'], // tools of the example in docs/ai.md
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
const root = path.join(__dirname, '../..');

/** Errors and pages are quoted, too, from their beginning. */
const sources = readdirSync(path.join(root, 'nodes'), { recursive: true, withFileTypes: true })
	.filter(({ name }) => name.endsWith('.ts'))
	.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
	.join('\n');
const isSaid = (text: string) => text.includes(' ') && sources.includes(text.replace(/ ….*$/, ''));
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
		.flatMap((text) => text.replace(/\.$/, '').split(' → '))
		.filter((text) => /^[A-Z]/.test(text))
		.filter((text) => !labels.has(text) && !isSaid(text));
	expect([...new Set(unknown)]).toEqual([]);
});
