/** What n8n-core reads while it loads; imported before it. */
import 'reflect-metadata';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** n8n's user folder of this test file: its key, and binary data in filesystem mode. */
export const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));

process.env.N8N_USER_FOLDER = userFolder;
// Without a key, n8n-core takes `jest worker` for `n8n worker` and refuses to start.
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
// A proxy of the machine must not see traffic to the sandbox.
process.env.NO_PROXY = '127.0.0.1,localhost';
