/**
 * `npm run soak -- --minutes 30`, after `npm run build`: two n8n at work for a long time, this package
 * in one and n8n's own nodes in the other, under the same load. Writes docs/soak.md and its picture.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packThisPackage } from '../../host';
import { buildTwins } from '../twins';
import { load } from './load';
import { drawSamples, report, type Outcome } from './report';
import { sample, type Sample } from './samples';
import { startSide, type Side } from './side';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);

async function main(): Promise<void> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'soak-'));
	const sides: Side[] = [];
	try {
		const twins = path.join(folder, 'twins');
		buildTwins(twins);
		const setup = { tarball: await packThisPackage(folder), folder, quick: false };
		for (const nodes of ['this package', 'built-in nodes'] as const) {
			sides.push(await startSide(nodes, setup, twins));
		}
		const end = Date.now() + minutes * 60_000;
		const [samples] = await Promise.all([
			Promise.all(sides.map(async (side) => await sample(side, end))),
			load(sides, end),
		]);
		const outcomes = await Promise.all(sides.map(async (side) => await outcomeOf(side)));
		await write(samples.flat(), outcomes);
	} finally {
		await Promise.all(sides.map(async (side) => await side.stop()));
		await rm(folder, { recursive: true, force: true });
	}
}

async function outcomeOf({ nodes, sandbox: { client } }: Side): Promise<Outcome> {
	const requests = await client.requests({ operation: ['sendSms', 'sendAudio'] });
	const accepted = await client.accepted();
	return { nodes, requests: requests.length, accepted: accepted.length };
}

async function write(samples: Sample[], outcomes: Outcome[]): Promise<void> {
	const text = report(samples, outcomes, minutes, await drawSamples(samples));
	writeFileSync(path.join(__dirname, '..', '..', 'docs', 'soak.md'), text);
	console.log(text);
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
