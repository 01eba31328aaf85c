/** An older Node.js gets one sentence, not the stack of a library that it cannot load. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
const older =
	"data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.0'})";

test.each(['demo', 'build'])('tools/host/%s.ts', (name) => {
	const { stderr, stdout, status } = spawnSync(
		process.execPath,
		['--import', 'tsx', `tools/host/${name}.ts`],
		{ cwd: root, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: `--import ${older}` } },
	);
	expect(`${stdout}${stderr}`).toBe(
		'Node.js 20.12 or newer is needed, and this is 18.20.0: https://nodejs.org\n',
	);
	expect(status).toBe(1);
});
