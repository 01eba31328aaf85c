import type { INode } from 'n8n-workflow';

import { properties } from '../../../nodes/MessagingGatewayTrigger/form';
import {
	accountError,
	allowedIpsError,
	conflictError,
	copyError,
	displacedError,
	notKeptError,
	repairedError,
	tooLongError,
	unreachableError,
} from '../../../nodes/MessagingGatewayTrigger/errors';
import { namesInQuotes } from '../support/wording';

const node = { name: 'Trigger', type: 'messagingGatewayTrigger' } as INode;
const url = 'https://user:pass@crm.example.com/hooks?key=hush';

const before = { url: 'https://erp.example.com/hush', enabled: true };

const labels = JSON.stringify(properties);
const errors = {
	unreachable: unreachableError(node, 'http://localhost:5678/webhook/x?token=hush', url),
	'allowed IPs': allowedIpsError(node, 'example'),
	'conflict with a foreign URL': conflictError(node, 'foreign', url, 'Publish again'),
	'conflict with a trigger': conflictError(node, 'trigger', url, 'Listen again'),
	'conflict with a test': conflictError(node, 'test', url, 'Publish again'),
	'conflict with a copy': conflictError(node, 'copy', url, 'Publish again'),
	'a copy': copyError(node, url, 'https://n8n.example.com/webhook/x'),
	'displaced by a foreign URL': displacedError(node, 'foreign', url, 'refuse'),
	'displaced by a trigger': displacedError(node, 'trigger', url, 'refuse'),
	'displaced by a trigger, with Take Over': displacedError(node, 'trigger', url, 'takeOver'),
	'another account': accountError(node, url),
	'not kept: changed': notKeptError(node, url, { url: `${url}x`, enabled: true }, before),
	'not kept: elsewhere': notKeptError(
		node,
		'https://n8n.example.com/?x',
		{ url, enabled: true },
		before,
	),
	'not kept: cut off': notKeptError(node, url, { url: url.slice(0, 20), enabled: true }, before),
	'not kept: gone': notKeptError(node, url, undefined, undefined),
	'not kept: off': notKeptError(node, url, { url, enabled: false }, before),
	'not kept: the one before': notKeptError(node, url, before, before),
	'too long': tooLongError(node, 2_000),
	'repaired: gone': repairedError(node, 'nobody', undefined),
	'repaired: taken': repairedError(node, 'foreign', url),
	'repaired: changed': repairedError(node, 'earlier', url),
};

test.each(Object.entries(errors))('%s', (_, { message, description }) => {
	const text = `${message} ${description}`;
	expect(description).toBeTruthy();
	expect(text).not.toMatch(/hush|pass|\/hooks|\/webhook/);
	expect(text).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	for (const name of namesInQuotes(text)) expect(labels).toContain(`"${name}"`);
});

test('a long entry is not shown whole', () => {
	expect(allowedIpsError(node, 'x'.repeat(100_000)).message.length).toBeLessThan(400);
});
