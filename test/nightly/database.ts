import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Server } from '../../tools/host/queue';
import { startPostgres, startRedis } from '../../tools/host/queue/servers';

const kinds = {
	postgres: {
		start: startPostgres,
		access: { database: 'postgres', user: 'postgres', password: '', ssl: 'disable' },
	},
	redis: {
		start: async (folder: string) => await startRedis(folder, { appendOnly: false }),
		access: { user: '', password: '', database: 0 },
	},
};

/** A database for the tests of a file: where it is, as n8n's credential has it, and its server. */
export function useDatabase(type: keyof typeof kinds): {
	access: object;
	port: number;
	server: Server;
} {
	const { start, access } = kinds[type];
	const database = { access: {}, port: 0, server: undefined as unknown as Server };
	let folder: string;
	beforeAll(async () => {
		folder = await mkdtemp(path.join(os.tmpdir(), `${type}-`));
		database.server = await start(folder);
		database.port = database.server.port;
		database.access = { host: '127.0.0.1', port: database.port, ...access };
	});
	afterAll(async () => {
		await database.server?.stop();
		if (folder) await rm(folder, { recursive: true });
	});
	return database;
}
