/** Five kinds of file that a workflow downloads and sends, and what is behind the links to them. */
import { randomBytes } from 'node:crypto';
import type { CredentialReference, WorkflowJson } from '../../tools/host';
import type { Sandbox } from '../../tools/sandbox';
import { chain, gateway, items, node } from '../../tools/shared/workflows';
import { listen } from '../engine/harness/server';

export const files = [
	{ name: 'photo.jpg', mimetype: 'image/jpeg', mediatype: 'image', size: 300_001 },
	{ name: 'clip.mp4', mimetype: 'video/mp4', mediatype: 'video', size: 5 * 1024 * 1024 + 1 },
	{ name: 'voice.ogg', mimetype: 'audio/ogg', mediatype: 'audio', size: 20_000 },
	{ name: 'contract.pdf', mimetype: 'application/pdf', mediatype: 'document', size: 65_536 },
	{ name: 'prices.csv', mimetype: 'text/csv', mediatype: 'document', size: 1 },
].map(({ size, ...file }) => ({ ...file, content: randomBytes(size) }));

/** From which the workflow downloads them. */
export async function startWebsite() {
	return await listen((request, response) => {
		const file = files.find(({ name }) => request.url === `/${name}`)!;
		response.writeHead(200, { 'content-type': file.mimetype }).end(file.content);
	});
}

/** Sends each file to another number. */
export const sendFiles = (credential: CredentialReference, website: string): WorkflowJson =>
	chain(
		'Files',
		...items(...files.map(({ name }) => ({ name }))),
		node(
			'Download',
			'n8n-nodes-base.httpRequest',
			{
				url: `=${website}/{{ $json.name }}`,
				options: { response: { response: { responseFormat: 'file' } } },
			},
			{ typeVersion: 4.2 },
		),
		gateway(credential, 'message', 'sendMedia', {
			to: '=551191234567{{ $itemIndex }}',
			mediaSource: 'binary',
			binaryPropertyName: 'data',
		}),
	);

interface SentFile {
	to: string;
	mediaurl: string;
	mimetype: string;
	mediatype: string;
}

/** What the service got, in the order of `files`. */
export const sentFiles = (sandbox: Sandbox): SentFile[] =>
	sandbox
		.requests({ valid: true })
		.map(({ body }) => (body as { message: SentFile }).message)
		.sort((a, b) => a.to.localeCompare(b.to));

/** Opens the links as the service does, without signing in, and then with a letter less. */
export async function expectFilesBehindLinks(
	sandbox: Sandbox,
	linkOf = (link: string) => link,
): Promise<void> {
	const sent = sentFiles(sandbox);
	expect(sent).toMatchObject(files.map(({ mimetype, mediatype }) => ({ mimetype, mediatype })));
	for (const [index, { mediaurl }] of sent.entries()) {
		const link = linkOf(mediaurl);
		const answer = await fetch(link);
		expect([answer.status, answer.headers.get('content-type')]).toEqual([
			200,
			files[index]!.mimetype,
		]);
		expect(files[index]!.content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
		expect((await fetch(link.slice(0, -1))).status).toBe(400);
	}
}
