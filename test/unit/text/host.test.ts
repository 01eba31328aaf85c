import fc from 'fast-check';
import { parseAddress, isPublicHost, isReachable } from '../../../nodes/text/host';
import { isSharingPage } from '../../../nodes/MessagingGateway/operations/message/mediaSource';
import { readOwnAddress } from '../../../nodes/n8n/ownAddress';
import { isAllowed, findInvalidRange } from '../../../nodes/text/ipRange';
import { isLinear } from '../../../tools/shared/linear';

test('nothing that is entered throws', () => {
	const close = fc.string({ unit: fc.constantFrom(...'0123456789abcdefg.:/%x- '), maxLength: 20 });
	fc.assert(
		fc.property(fc.oneof(close, fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
			const isAddress = parseAddress(text) !== undefined;
			expect(isAllowed(text, text) || !isAddress).toBe(true);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	...['', '1.2.3', '127.1', '2130706433', '0x7f.0.0.1', '1.2.3.4.5', '256.0.0.1', '01.2.3.4'],
	...['1.2.3.4 ', '1:2:3:4:5:6:7', '1::2::3', ':::', '1:2:3:4::5:6:7:8', '192.0.2.7%eth0'],
	...['fe80::1%', 'fe80::1%eth 0', 'fe80::1%0 eth', 'fe80::1%eth0%eth1'],
])('%j is no address', (text) => expect(parseAddress(text)).toBeUndefined());

test.each(['1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '1.2.3.4/24/24', '::/129', 'x/8', '/8'])(
	'%j is no range',
	(text) => expect(findInvalidRange(text)).toBe(text),
);

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

test.each([
	...['n8n.example.com', 'example.com.', '192.0.3.7', '172.15.0.1', '172.32.0.1', '100.128.0.1'],
	...['[2606:4700::1]', 'localhost.example.com', 'n8n.local.example.com'],
	...['svc.example.com', 'crm.svc.com', '198.20.0.1', '192.0.1.1'],
])('%s is public', (host) => expect(isPublicHost(hostOf(host))).toBe(true));

test.each([
	...['localhost', 'LOCALHOST', 'localhost.', 'n8n', 'n8n.local', 'n8n.local.', 'app.localhost'],
	'box.lan',
	...['crm', 'crm.', 'crm.shop.svc', 'crm.shop.svc.', 'crm.shop.svc.cluster.local', 'crm.corp'],
	...['crm.intranet', 'crm.private', 'crm.home', 'crm.localdomain', 'crm.test'],
	...['192.0.0.9', '198.18.0.1', '[64:ff9b::a00:1]'],
	...['host.docker.internal', 'pi.home.arpa'],
	...['127.0.0.1', '127.1', '2130706433', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
	...['192.168.1.1', '169.254.169.254', '100.64.0.1'],
	...['[::]', '[::1]', '[::ffff:10.0.0.1]', '[fd00::1]', '[fe80::1]'],
])('%s is not', (host) => expect(isPublicHost(hostOf(host))).toBe(false));

test.each([
	['https://n8n.example.com/webhook/x', 'https://api.example.com', true],
	['http://n8n.example.com/webhook/x', 'https://api.example.com', false],
	['https://localhost:5678/webhook/x', 'https://api.example.com', false],
	['https://10.0.0.1/webhook/x', 'http://192.0.3.7', false],
	['http://localhost:5678/webhook/x', 'http://127.0.0.1:8787', true],
	['http://n8n:5678/webhook/x', 'https://gateway.internal', true],
])('%s from %s: %s', (webhook, service, expected) => {
	expect(isReachable(new URL(webhook), service)).toBe(expected);
});

const n8n = 'https://n8n.example';
const rest = 'webhook/4f1c/webhook?mgt=x';
const owner = {
	invalid: (message: string, hint: string) => new Error(`${message}. ${hint}`),
	quote: String,
};

test.each([
	[`${n8n}/${rest}`, n8n, `${n8n}/${rest}`],
	[`${n8n}//${rest}`, n8n, `${n8n}/${rest}`],
	[`${n8n}///a//b/${rest}`, n8n, `${n8n}/a/b/${rest}`],
	[`https:n8n.example/${rest}`, n8n, `${n8n}/${rest}`],
	[`${n8n}/webhooks/${rest}`, n8n, `${n8n}/webhooks/${rest}`],
	[`${n8n}/webhook/${rest}`, 'https://editor.example/webhook/', `${n8n}/webhook/${rest}`],
])("n8n's own address %s, whose editor is at %s, is %s", (address, instanceUrl, expected) => {
	expect(readOwnAddress(address, instanceUrl, owner).href).toBe(expected);
});

test.each([
	[`n8n.example/${rest}`, n8n, 'does not begin with https:// or http://'],
	[`n8n.example:5678/${rest}`, 'n8n.example:5678/', 'does not begin with https:// or http://'],
	['', n8n, 'does not begin with https:// or http://'],
	[
		`${n8n}/webhook/${rest}`,
		`${n8n}/webhook/`,
		`ends with /webhook, which n8n adds itself: ${n8n}`,
	],
	[`${n8n}/webhook/${rest}`, 'https://editor.example/', 'ends with /webhook'],
	[`${n8n}/a/webhook/${rest}`, 'https://editor.example/b/webhook', 'is below /a/webhook, move it'],
])("n8n's own address %s, whose editor is at %s, leads nowhere", (address, instanceUrl, said) => {
	const read = () => readOwnAddress(address, instanceUrl, owner);
	expect(read).toThrow(said);
	expect(read).toThrow('N8N_WEBHOOK_URL');
});

test.each([
	...['drive.google.com/file/d/1/view?usp=sharing', 'drive.google.com/open?id=1'],
	...['docs.google.com/document/d/1/edit', 'photos.google.com/share/1', 'photos.app.goo.gl/1'],
	...['www.dropbox.com/scl/fi/1/foto.jpg?rlkey=x&dl=0', 'dropbox.com/s/1/foto.jpg'],
	...['onedrive.live.com/?id=1', '1drv.ms/i/s!1', 'acme-my.sharepoint.com/:i:/g/1?e=x'],
	...['www.icloud.com/iclouddrive/1#foto', 'share.icloud.com/photos/1', 'mega.nz/file/1'],
	...['wetransfer.com/downloads/1', 'we.tl/t-1', 'app.box.com/s/1', 'DRIVE.GOOGLE.COM/file/d/1'],
	'www.mediafire.com/file/1/foto.jpg/file',
])('%s is a page', (address) => {
	expect(isSharingPage(`https://${address}`)).toBe(true);
});

test.each([
	...['drive.google.com/uc?export=download&id=1', 'drive.usercontent.google.com/download?id=1'],
	...['lh3.googleusercontent.com/d/1', 'docs.google.com/document/d/1/export?format=pdf'],
	...['www.dropbox.com/s/1/foto.jpg?dl=1', 'www.dropbox.com/scl/fi/1/foto.jpg?rlkey=x&raw=1'],
	...['dl.dropboxusercontent.com/s/1/foto.jpg', 'dl.dropbox.com/s/1/foto.jpg'],
	...['acme.sharepoint.com/:i:/g/1?e=x&download=1', 'onedrive.live.com/download?cid=x&resid=1'],
	...['app.box.com/shared/static/1.jpg', 'download1234.mediafire.com/x/foto.jpg'],
	...['example.com/drive.google.com/file/foto.jpg', 'drive.google.com.example.com/foto.jpg'],
	'mydropbox.com/foto.jpg',
])('%s may be the file', (address) => {
	expect(isSharingPage(`https://${address}`)).toBe(false);
});

test.each<[unknown, string | undefined, boolean]>([
	['192.0.2.0/24', '192.0.3.0', false],
	['192.0.2.77/24', '192.0.2.1', true],
	['0.0.0.0/0', '203.0.113.9', true],
	['192.0.2.7', '192.0.2.8', false],
	['::ffff:192.0.2.0/120', '192.0.3.9', false],
	['192.0.2.0/24', '::ffff:192.0.2.9', true],
	['2001:db8::/32', '2001:DB8:1::5', true],
	['2001:db8::/33', '2001:db8:8000::5', false],
	['192.0.2.7', '::FFFF:c000:207', true],
	// IPv4 and IPv6 never contain each other.
	['::/0', '192.0.2.7', false],
	['0.0.0.0/0', '2001:db8::1', false],
	['::ffff:0:0/96', '192.0.2.7', false],
	['', '192.0.2.7', false],
	[undefined, undefined, false],
	[null, '192.0.2.7', false],
	[' ,; \n', '192.0.2.7', false],
	['192.0.2.7', '192.0.2.7', true],
	['192.0.2.7', '::ffff:192.0.2.7', true],
	['10.0.0.0/8,2001:db8::/32', '2001:db8::7', true],
	[['10.0.0.1', '10.0.0.2'], '10.0.0.2', true],
	['203.0.113.7', '203.0.113.7:51234', true],
	['2001:db8::1', '[2001:db8::1]:443', true],
	['2001:db8::1', '[2001:db8::1]', true],
	['2001:db8::1', '2[001:db8::1]:443', false],
	['2001:db8::1', '[2001:db8::]1', false],
	['192.0.2.7', '::ffff:192.0.2.7:51234', false],
	['192.0.2.7', '192.0.2:5.7', false],
	['fe80::/10', 'fe80::1%en-0.1', true],
	['10.0.0.1', '10.0.0.1%', false],
	[{ toString: 1, valueOf: 1 }, '192.0.2.7', false],
	['nonsense 192.0.2.7', '192.0.2.7', true],
	['0.0.0.0/0', 'nonsense', false],
])('the list %j allows %s: %s', (list, ip, expected) => {
	expect(isAllowed(list, ip ?? '')).toBe(expected);
});

test.each([
	['10.0.0.1, 10.0.0.0/8', undefined],
	['', undefined],
	['10.0.0.1,'.repeat(1_000), undefined],
	['10.0.0.1, example.com, 1.2.3', 'example.com'],
])('%.40j has the invalid entry %j', (list, expected) => {
	expect(findInvalidRange(list)).toBe(expected);
});

test.each([
	...['10.0.0.1,', '1', 'f', ':', '::', '1:', '0.', '%', '/', '[', ' ', 'a,', '1/', 'fe80::1%'],
])('a list of a megabyte, %j again and again, is parsed in linear time', async (text) => {
	const list = text.repeat(1e6 / text.length);
	const use = () => [findInvalidRange(list), isAllowed('192.0.2.7', list)];
	expect(await isLinear(use)).toBe(true);
});
