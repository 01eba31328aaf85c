import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { properties } from '../../../nodes/MessagingGatewayTrigger/form';
import {
	otherAccount,
	notAnIp,
	inUse,
	otherKey,
	copied,
	takenBy,
	notGivenBack,
	notKept,
	repairedAgain,
	tooLong,
	unreachable,
} from '../../../nodes/MessagingGatewayTrigger/registration/errors';
import { namesInQuotes } from '../support/wording';

const url = 'https://user:pass@crm.example.com/hooks?key=hush';

const before = { url: 'https://erp.example.com/hush', enabled: true };

const labels = JSON.stringify([properties, new MessagingGatewayApi().properties]);
const errors = {
	unreachable: unreachable('http://localhost:5678/webhook/x?token=hush', url),
	'allowed IPs': notAnIp('example'),
	'conflict with a foreign URL': inUse('foreign', url, false),
	'conflict with a trigger': inUse('trigger', url, true),
	'conflict with a test': inUse('test', url, false),
	'conflict with a copy': inUse('copy', url, false),
	'a copy': copied(url, 'https://n8n.example.com/webhook/x'),
	'displaced by a foreign URL': takenBy('foreign', url, 'refuse', false),
	'displaced by a trigger': takenBy('trigger', url, 'refuse', false),
	'displaced by a trigger, with Take Over': takenBy('trigger', url, 'takeOver', false),
	'displaced by a trigger with another key': takenBy('trigger', url, 'share', true),
	'sharing with another key': otherKey(url, true),
	'another account': otherAccount(url),
	'not kept: changed': notKept(url, { url: `${url}x`, enabled: true }, before),
	'not kept: elsewhere': notKept('https://n8n.example.com/?x', { url, enabled: true }, before),
	'not kept: cut off': notKept(url, { url: url.slice(0, 20), enabled: true }, before),
	'not kept: gone': notKept(url, undefined, undefined),
	'not kept: off': notKept(url, { url, enabled: false }, before),
	'not kept: the one before': notKept(url, before, before),
	'not given back': notGivenBack('https://n8n.example.com/webhook/x?token=hush'),
	'too long': tooLong(2_000),
	'repaired: gone': repairedAgain('nobody', undefined),
	'repaired: taken': repairedAgain('foreign', url),
	'repaired: changed': repairedAgain('outdated', url),
};

test.each(Object.entries(errors))('%s', (_, { message, description }) => {
	const text = `${message} ${description}`;
	expect(description).toBeTruthy();
	expect(text).not.toMatch(/hush|pass|\/hooks|\/webhook/);
	expect(text).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	for (const name of namesInQuotes(text)) expect(labels).toContain(`"${name}"`);
});

test('a long entry is not shown whole', () => {
	expect(notAnIp('x'.repeat(100_000)).message.length).toBeLessThan(400);
});
