import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { properties } from '../../../nodes/MessagingGatewayTrigger/form';
import {
	otherAccount,
	givesNothing,
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
/** By what they say. */
const errors = {
	"can't reach this n8n": unreachable('http://localhost:5678/webhook/x?token=hush', url),
	"not an IP address or range: 'example'": notAnIp('example'),
	"an expression in 'Match' gives nothing": givesNothing('Match'),
	'crm.example.com is using it. Switch it off there': inUse('foreign', url, false),
	'another Messaging Gateway Trigger at crm.example.com is using it': inUse('trigger', url, true),
	'and publish again. Nothing was changed': inUse('foreign', url, false),
	'and listen again. Nothing was changed': inUse('foreign', url, true),
	'Publish again when the test is over': inUse('test', url, false),
	'Listen again when the test is over': inUse('test', url, true),
	'this workflow on another n8n at crm.example.com is using it': inUse('copy', url, false),
	'points to the same workflow at crm.example.com': copied(
		url,
		'https://n8n.example.com/webhook/x',
	),
	"was taken by crm.example.com The account has one webhook. To get it back, switch it off there: within minutes, this node registers again automatically. Or set 'If the Webhook Is in Use'":
		takenBy('foreign', url, 'refuse', false),
	'was taken by another Messaging Gateway Trigger at': takenBy('trigger', url, 'refuse', false),
	'Or unpublish this workflow, then publish it.': takenBy('trigger', url, 'takeOver', false),
	'that trigger has another API key': takenBy('trigger', url, 'share', true),
	"to 'Take Over', and listen again": otherKey(url, true),
	"to 'Take Over', and publish again": otherKey(url, false),
	'another account or has another API key': otherAccount(url),
	'unchanged: it was changed.': notKept(url, { url: `${url}x`, enabled: true }, before),
	'it points to crm.example.com': notKept(
		'https://n8n.example.com/?x',
		{ url, enabled: true },
		before,
	),
	'20 of 48 characters are left': notKept(url, { url: url.slice(0, 20), enabled: true }, before),
	'it has none now': notKept(url, undefined, undefined),
	'it is switched off': notKept(url, { url, enabled: false }, before),
	'still returns the previous one, at erp.example.com': notKept(url, before, before),
	'still points to this workflow, at n8n.example.com': notGivenBack(
		'https://n8n.example.com/webhook/x?token=hush',
	),
	'has at most 2000 characters': tooLong(2_000),
	'it was gone or switched off': repairedAgain('nobody', undefined),
	'crm.example.com had taken it': repairedAgain('foreign', url),
	'its URL had been changed': repairedAgain('outdated', url),
};

test.each(Object.entries(errors))('%s', (said, { message, description }) => {
	const text = `${message} ${description}`;
	expect(text).toContain(said);
	expect(description).toBeTruthy();
	expect(text).not.toMatch(/hush|pass|\/hooks|\/webhook/);
	expect(text).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	for (const name of namesInQuotes(text)) expect(labels).toContain(`"${name}"`);
});

test('a long entry is not shown whole', () => {
	expect(notAnIp('x'.repeat(100_000)).message.length).toBeLessThan(400);
});
