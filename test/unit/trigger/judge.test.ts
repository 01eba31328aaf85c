import {
	holderOf,
	mayTakeBack,
	type Holder,
} from '../../../nodes/MessagingGatewayTrigger/registration/judge';

const address = 'https://n8n.example.com/webhook/4f1c/webhook';
const ours = `${address}?token=${'a'.repeat(64)}`;
const token = `token=${'b'.repeat(64)}`;
const now = 1_000_000;

test.each<[string, string | null, Holder]>([
	['nothing', null, 'nobody'],
	['our URL', ours, 'us'],
	['our URL with another secret', `${address}?${token}`, 'earlier'],
	['our URL without a secret', address, 'earlier'],
	['a test', `https://n8n.example.com/webhook-test/x/webhook?testUntil=1000001&${token}`, 'test'],
	['a test that is over', `https://n8n.example.com/x?testUntil=1000000&${token}`, 'nobody'],
	['another workflow', `https://n8n.example.com/webhook/x/webhook?${token}`, 'trigger'],
	[
		'our workflow in another n8n',
		`https://old.example.com/webhook/4f1c/webhook?${token}`,
		'trigger',
	],
	['a foreign URL', 'https://crm.example.com/hook?token=secret&testUntil=9000000', 'foreign'],
	['no web address', 'nonsense', 'foreign'],
])('%s', (_, url, holder) => {
	expect(holderOf({ url, enabled: true }, ours, now)).toBe(holder);
	expect(holderOf({ url, enabled: false }, ours, now)).toBe('nobody');
});

test.each<[Holder, boolean, boolean]>([
	['nobody', true, true],
	['us', true, true],
	['earlier', true, true],
	['test', false, false],
	['trigger', false, false],
	['foreign', false, true],
])('from %s: refuse %s, takeOver %s', (holder, refuse, takeOver) => {
	expect(mayTakeBack(holder, 'refuse')).toBe(refuse);
	expect(mayTakeBack(holder, 'takeOver')).toBe(takeOver);
});
