/** The check of links, against servers on this machine. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { askAll, externalLinks } from '../../release/externalLinks';

let server: Server;
let url: string;
beforeAll(async () => {
	server = createServer(({ url: path }, response) => {
		const status = Number(path?.slice(1));
		response.writeHead(status, status === 302 ? { location: '/200' } : {}).end('text');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('tells of each link what its page answers, and which are gone', async () => {
	const links = ['/200', '/302', '/403', '/404', '/410', '/500'].map((path) => url + path);
	const nowhere = 'http://127.0.0.1:1/';
	const asked = await askAll(new Map([...links, nowhere].map((link) => [link, ['README.md']])));
	expect(
		Object.fromEntries(asked.map(({ link, answer }) => [link.replace(url, ''), answer])),
	).toEqual({
		[nowhere]: 'ECONNREFUSED',
		'/200': '200',
		'/302': '200',
		'/403': '403',
		'/404': '404',
		'/410': '410',
		'/500': '500',
	});
	expect(asked.filter(({ isGone }) => isGone).map(({ answer }) => answer)).toEqual(['404', '410']);
});

it('takes links, not examples', () => {
	const text = [
		'[a](https://docs.n8n.io/hosting/#queue), and https://npmjs.com.',
		'`https://code.dev` [b](https://example.com/photo.jpg) http://127.0.0.1:8787/x',
		'```\nhttps://fenced.dev\n```',
	].join('\n');
	expect(
		externalLinks(
			new Map([
				['a.md', text],
				['b.json', '{ "url": "https://npmjs.com" }'],
			]),
		),
	).toEqual(
		new Map([
			['https://docs.n8n.io/hosting/#queue', ['a.md']],
			['https://npmjs.com', ['a.md', 'b.json']],
		]),
	);
});
