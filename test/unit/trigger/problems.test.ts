import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { triggerProperties } from '../../../nodes/MessagingGatewayTrigger/form';
import {
	busy,
	otherAccount,
	givesNothing,
	notEvaluated,
	notAnIp,
	inUse,
	otherKey,
	copied,
	takenBy,
	notGivenBack,
	notKept,
	repaired,
	tooLong,
	unreachable,
} from '../../../nodes/MessagingGatewayTrigger/registration/problems';
import type { Holder } from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import { withHint } from '../../../nodes/text/text';
import { expectThreeSentences, namesInQuotes } from '../support/wording';

const url = 'https://user:pass@crm.example.com/hooks?key=hush';

const self = { address: 'https://n8n.example.com/webhook/x?token=hush', takesOver: false };

const found = (holder: Holder, at = url) => ({ holder, webhook: { url: at, enabled: true } });

const ofTrigger = (takesOver: boolean) => takenBy(found('trigger'), { ...self, takesOver });

const labels = JSON.stringify([triggerProperties, new MessagingGatewayApi().properties]);
/** By what they say. */
const errors = {
	"can't reach this n8n": unreachable('http://localhost:5678/webhook/x?token=hush', url),
	'The service at crm.example.com is slow, and other triggers of this n8n': busy(url),
	"takes up to 500 IP addresses and ranges, not 'example'": notAnIp('example'),
	"an entry in 'Match' is empty": givesNothing('Match'),
	"cannot be evaluated (Node X hasn't been executed)": notEvaluated(
		new Error("Node X hasn't been executed"),
	),
	'crm.example.com is using it. Nothing was changed': inUse(found('foreign'), self),
	'another webhook of this n8n at n8n.example.com is': inUse(found('foreign', self.address), self),
	'Trigger of another n8n at crm.example.com is using it': inUse(found('trigger'), self),
	'Trigger of this n8n at n8n.example.com is using it': inUse(found('trigger', self.address), self),
	'in two minutes at most': inUse(found('test'), self),
	'this workflow on another n8n at crm.example.com is using it': inUse(found('copy'), self),
	'points to the same workflow at crm.example.com': copied(url, self.address),
	"within minutes, this node registers again automatically. Or set 'If the Webhook Is in Use'":
		takenBy(found('foreign'), self),
	'was taken by another Messaging Gateway Trigger of another n8n at': ofTrigger(false),
	'Or unpublish this workflow, then publish it.': ofTrigger(true),
	'or use the same credential in both': otherKey(found('trigger')),
	'another account or has another API key': otherAccount(url),
	'unchanged: it was changed.': notKept(url, { url: `${url}x`, enabled: true }),
	'it points to crm.example.com': notKept('https://n8n.example.com/?x', { url, enabled: true }),
	'20 of 48 characters are left': notKept(url, { url: url.slice(0, 20), enabled: true }),
	'it has none now': notKept(url, undefined),
	'it is switched off': notKept(url, { url, enabled: false }),
	'still points to this workflow, at n8n.example.com': notGivenBack(self),
	'has at most 2000 characters': tooLong(2_000),
	'it was gone or switched off': repaired({ holder: 'nobody', webhook: undefined }),
	'crm.example.com had taken it': repaired(found('foreign')),
	'its URL had been changed': repaired(found('outdated')),
};

test.each(Object.entries(errors))('%s', (said, { message, hint }) => {
	const text = withHint({ message, description: hint });
	expect(text).toContain(said);
	expect(hint).toBeTruthy();
	expectThreeSentences(message, hint);
	expect(text).not.toMatch(/hush|pass|\/hooks|\/webhook/);
	expect(text).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	const shown = text.replace(/'Several workflows, one account'|not 'example'/, '');
	for (const name of namesInQuotes(shown)) expect(labels).toContain(`"${name}"`);
});

test('a long entry is not shown whole', () => {
	expect(notAnIp('x'.repeat(100_000)).message.length).toBeLessThan(400);
});
