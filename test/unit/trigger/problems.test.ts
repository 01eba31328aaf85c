import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { triggerProperties } from '../../../nodes/MessagingGatewayTrigger/form';
import {
	otherAccount,
	givesNothing,
	notEvaluated,
	notAnIp,
	inUse,
	takenBy,
	notKept,
	repaired,
	unreachable,
} from '../../../nodes/MessagingGatewayTrigger/registration/problems';
import type { WebhookView } from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import { publications } from '../../../nodes/MessagingGatewayTrigger/publication';
import { withHint } from '../../../nodes/text/sentences';
import { expectThreeSentences, namesInQuotes } from '../support/wording';

const url = 'https://user:pass@crm.example.com/hooks?key=hush';

const self = {
	address: 'https://n8n.example.com/webhook/x?token=hush',
	workflowId: 'own',
	isTest: false,
};
const inTest = { ...self, isTest: true };

const found = (holder: WebhookView['holder'], at = url, workflowId = 'other') => ({
	holder,
	webhook: { url: at, enabled: true },
	token: holder === 'foreign' ? undefined : { workflowId, secret: 'hush' },
});

const here = self.address;

publications.set('1', { workflow: { id: 'named', name: 'Replies', active: true } });

const labels = JSON.stringify([triggerProperties, new MessagingGatewayApi().properties]);
/** By what they say. */
const errors = {
	"can't reach this n8n": unreachable('http://localhost:5678/webhook/x?token=hush', url),
	"'example' in 'Allowed IPs' is no IP address. Correct it in the options": notAnIp('example'),
	"an entry in 'Match' is empty": givesNothing('Match'),
	"cannot be evaluated (Node X hasn't been executed)": notEvaluated(
		new Error("Node X hasn't been executed"),
	),
	'crm.example.com is using it. Nothing was changed': inUse(found('foreign'), self),
	'another webhook of this n8n at n8n.example.com is': inUse(found('foreign', here), self),
	'a workflow (ID other) of another n8n at crm.example.com is': inUse(found('trigger'), self),
	'a workflow (ID other) of this n8n is using it': inUse(found('trigger', here), self),
	"workflow 'Replies' (ID named) of this n8n is": inUse(found('trigger', here, 'named'), self),
	"the path at the end of the URL that 'Webhook: Get' shows": inUse(found('foreign', here), self),
	'this workflow, with another trigger or': inUse(found('trigger', here, 'own'), self),
	'note its URL with': inUse(found('foreign'), self),
	'Unpublish that workflow, or switch the webhook off': inUse(found('trigger', here), self),
	"or copy an execution's data into the editor": inUse(found('foreign'), inTest),
	'is listening for a test event with it': inUse(found('test'), self),
	'in two minutes at most': inUse(found('test'), self),
	'this workflow on another n8n at crm.example.com is using it': inUse(found('copy'), self),
	'was taken by this workflow on another n8n at crm.example.com': takenBy(found('copy'), self),
	'within minutes, this node registers again. To have both': takenBy(found('foreign'), self),
	'was taken by a workflow (ID other) of another n8n at': takenBy(found('trigger'), self),
	'another account or has another API key': otherAccount(url),
	'the webhook URL correctly: it shows a URL of 49 characters at crm.example.com.': notKept(url, {
		url: `${url}x`,
		enabled: true,
	}),
	'it shows none': notKept(url, undefined),
	'it shows a URL of 48 characters at crm.example.com, switched off': notKept(url, {
		url,
		enabled: false,
	}),
	'it was gone or switched off': repaired({ holder: 'nobody' }),
	'its URL had been changed': repaired(found('outdated')),
};

test.each(Object.entries(errors))('%s', (said, { message, hint }) => {
	const text = withHint({ message, description: hint });
	expect(text).toContain(said);
	expect(hint).toBeTruthy();
	expectThreeSentences(message, hint);
	expect(text).not.toMatch(/hush|pass|\/hooks|\/webhook/);
	expect(text).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	const shown = text.replace(
		/'Several workflows, one account'|not 'example'|'Replies'|'Webhook: [GS]et'|'Enable'/g,
		'',
	);
	for (const name of namesInQuotes(shown)) expect(labels).toContain(`"${name}"`);
});
