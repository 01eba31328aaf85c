/** What `npm start` keeps on this machine. */
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { KeptFolder } from '../../../tools/host/demo/keptFolder';

const NO_PORT = 0; // that `npm start` could be given

let kept: KeptFolder;
const file = (...names: string[]) => path.join(kept.folder, ...names);
const modeOf = (name: string) => statSync(file(name)).mode & 0o777;

beforeEach(async () => (kept = await KeptFolder.open(NO_PORT, true)));
afterEach(() => rmSync(kept.folder, { recursive: true }));

it('keeps a password that n8n accepts, for its owner alone', async () => {
	const { password } = kept;
	expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d).{20,64}$/);
	kept.keep('first');
	chmodSync(kept.folder, 0o755);
	chmodSync(file('password'), 0o644);
	expect(await KeptFolder.open(NO_PORT, false)).toMatchObject({ password, firstExample: 'first' });
	expect([modeOf('.'), modeOf('password')]).toEqual([0o700, 0o600]);
	expect((await KeptFolder.open(NO_PORT, true)).password).not.toBe(password);
});

it('asks for --fresh where an earlier version kept no password', async () => {
	kept.keep('first');
	rmSync(file('password'));
	await expect(KeptFolder.open(NO_PORT, false)).rejects.toThrow("add '--fresh' to start over");
});

it('lets n8n start at once after it was killed', async () => {
	kept.keep('first');
	mkdirSync(file('.n8n'));
	writeFileSync(file('.n8n', 'crash.journal'), '');
	await KeptFolder.open(NO_PORT, false);
	expect(existsSync(file('.n8n', 'crash.journal'))).toBe(false);
});
