/** The check of links, against servers on this machine. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { askAll, externalLinks } from '../../release/externalLinks';

let server: Server;
let url: string;
beforeAll(async () => {
	server = createServer(({ url: path }, response) => {
		const status = Number(path?.slice(1));
		response
			.writeHead(status, status === 302 ? { location: '/200' } : {})
			.end('<h2 id="here">Here</h2>');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('tells of each page what it answers, which are gone, and which sections are not seen', async () => {
	const links = ['/200#here', '/200#there', '/302', '/403', '/404', '/410', '/500'];
	const nowhere = 'http://127.0.0.1:1/';
	const asked = await askAll(
		new Map([...links.map((link) => url + link), nowhere].map((link) => [link, ['README.md']])),
	);
	expect(
		asked.map(({ page, answer, isGone }) => [page.replace(url, ''), answer, isGone]).sort(),
	).toEqual([
		['/200', '200', false],
		['/302', '200', false],
		['/403', '403', false],
		['/404', '404', true],
		['/410', '410', true],
		['/500', '500', false],
		[nowhere, 'ECONNREFUSED', false],
	]);
	expect(asked.flatMap(({ sectionsNotSeen }) => sectionsNotSeen)).toEqual(['there']);
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
