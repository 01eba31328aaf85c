import fc from 'fast-check';
import {
	contains,
	parseAddress,
	parseRange,
	isPublicHost,
	isReachable,
	isSharingPage,
} from '../../../nodes/gateway/addresses';

test('nothing that is entered throws', () => {
	const close = fc.string({ unit: fc.constantFrom(...'0123456789abcdefg.:/%x- '), maxLength: 20 });
	fc.assert(
		fc.property(fc.oneof(close, fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
			const address = parseAddress(text);
			const range = parseRange(text);
			expect(address && contains(range!, address)).toBe(address && true);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	['192.0.2.0/24', '192.0.2.255', true],
	['192.0.2.0/24', '192.0.3.0', false],
	['192.0.2.77/24', '192.0.2.1', true],
	['0.0.0.0/0', '203.0.113.9', true],
	['192.0.2.7/32', '192.0.2.7', true],
	['192.0.2.7', '192.0.2.8', false],
	['::ffff:192.0.2.0/120', '192.0.2.9', true],
	['::ffff:192.0.2.0/120', '192.0.3.9', false],
	['192.0.2.0/24', '::ffff:192.0.2.9', true],
	['2001:db8::/32', '2001:DB8:1::5', true],
	['2001:db8::/33', '2001:db8:8000::5', false],
	['fe80::/10', 'fe80::1%eth0', true],
])('%s contains %s: %s', (range, address, expected) => {
	expect(contains(parseRange(range)!, parseAddress(address)!)).toBe(expected);
});

test.each([
	...['', '1.2.3', '127.1', '2130706433', '0x7f.0.0.1', '1.2.3.4.5', '256.0.0.1', '01.2.3.4'],
	...['1.2.3.4 ', '1:2:3:4:5:6:7', '1::2::3', ':::', '1:2:3:4::5:6:7:8', '192.0.2.7%eth0'],
	...['fe80::1%', 'fe80::1%eth 0', 'fe80::1%0 eth', 'fe80::1%eth0%eth1'],
])('%j is no address', (text) => expect(parseAddress(text)).toBeUndefined());

test.each(['1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '1.2.3.4/24/24', '::/129', 'x/8', '/8'])(
	'%j is no range',
	(text) => expect(parseRange(text)).toBeUndefined(),
);

test('spellings of one address', () => {
	expect(parseAddress('::ffff:192.0.2.7')).toEqual(parseAddress('192.0.2.7'));
	expect(parseAddress('::FFFF:c000:207')).toEqual(parseAddress('192.0.2.7'));
});

test('IPv4 and IPv6 never contain each other', () => {
	expect(contains(parseRange('::/0')!, parseAddress('192.0.2.7')!)).toBe(false);
	expect(contains(parseRange('0.0.0.0/0')!, parseAddress('2001:db8::1')!)).toBe(false);
	expect(contains(parseRange('::ffff:0:0/96')!, parseAddress('192.0.2.7')!)).toBe(true);
	expect(contains(parseRange('::ffff:192.0.2.7/95')!, parseAddress('192.0.2.7')!)).toBe(false);
});

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

test.each([
	...['n8n.example.com', 'example.com.', '192.0.2.7', '172.15.0.1', '172.32.0.1', '100.128.0.1'],
	...['[2001:db8::1]', 'localhost.example.com', 'n8n.local.example.com'],
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
	['http://localhost:5678/webhook/x', 'https://api.example.com', false],
	['https://10.0.0.1/webhook/x', 'http://203.0.113.7', false],
	['http://localhost:5678/webhook/x', 'http://127.0.0.1:8787', true],
	['http://n8n:5678/webhook/x', 'https://gateway.internal', true],
])('%s from %s: %s', (webhook, service, expected) => {
	expect(isReachable(new URL(webhook), service)).toBe(expected);
});

test.each([
	'https://drive.google.com/file/d/1aBcD/view?usp=sharing',
	'https://drive.google.com/open?id=1aBcD',
	'https://drive.google.com/drive/folders/1aBcD',
	'https://docs.google.com/document/d/1aBcD/edit?usp=sharing',
	'https://photos.app.goo.gl/1aBcD',
	'https://photos.google.com/share/1aBcD',
	'https://www.dropbox.com/s/1aBcD/foto.jpg?dl=0',
	'https://www.dropbox.com/scl/fi/1aBcD/foto.jpg?rlkey=x&dl=0',
	'https://dropbox.com/s/1aBcD/foto.jpg',
	'https://onedrive.live.com/?id=1aBcD',
	'https://1drv.ms/i/s!1aBcD',
	'https://acme.sharepoint.com/:i:/g/1aBcD',
	'https://acme-my.sharepoint.com/:i:/g/1aBcD?e=x',
	'https://www.icloud.com/iclouddrive/1aBcD#foto',
	'https://share.icloud.com/photos/1aBcD',
	'https://wetransfer.com/downloads/1aBcD',
	'https://we.tl/t-1aBcD',
	'https://app.box.com/s/1aBcD',
	'https://www.mediafire.com/file/1aBcD/foto.jpg/file',
	'https://mega.nz/file/1aBcD',
	'HTTPS://DRIVE.GOOGLE.COM/file/d/1aBcD/view',
])('%s is a page', (address) => {
	expect(isSharingPage(address)).toBe(true);
});

test.each([
	'https://drive.google.com/uc?export=download&id=1aBcD',
	'https://drive.usercontent.google.com/download?id=1aBcD',
	'https://lh3.googleusercontent.com/d/1aBcD',
	'https://docs.google.com/document/d/1aBcD/export?format=pdf',
	'https://www.dropbox.com/s/1aBcD/foto.jpg?dl=1',
	'https://www.dropbox.com/scl/fi/1aBcD/foto.jpg?rlkey=x&raw=1',
	'https://dl.dropboxusercontent.com/s/1aBcD/foto.jpg',
	'https://dl.dropbox.com/s/1aBcD/foto.jpg',
	'https://acme.sharepoint.com/:i:/g/1aBcD?e=x&download=1',
	'https://onedrive.live.com/download?cid=x&resid=1aBcD',
	'https://app.box.com/shared/static/1aBcD.jpg',
	'https://download1234.mediafire.com/x/foto.jpg',
	'https://example.com/drive.google.com/file/foto.jpg',
	'https://drive.google.com.example.com/foto.jpg',
	'https://mydropbox.com/foto.jpg',
])('%s may be the file', (address) => {
	expect(isSharingPage(address)).toBe(false);
});
