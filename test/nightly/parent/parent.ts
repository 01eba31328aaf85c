/** Run by killedParent.ts: starts a host and waits for its end. */
import { startHost } from '../../../tools/host';
import { chosen } from '../../../tools/host/paths';

async function main(): Promise<void> {
	const { userFolder, pid } = await startHost({ n8n: chosen });
	process.on('message', () => {}); // keeps this process until whoever started it is gone, too
	process.send!({ userFolder, pid });
}

void main();
