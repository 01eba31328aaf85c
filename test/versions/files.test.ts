/** Files of the workflow: each arrives behind its link, byte for byte. */
import { startSandbox } from '../../tools/sandbox';
import { expectFilesBehindLinks, sendFiles, startWebsite } from '../e2e/files';
import { sharedHost } from '../e2e/sharedHost';

it('five kinds of file are opened by their links', async () => {
	const { client } = await sharedHost();
	const [sandbox, website] = [await startSandbox(), await startWebsite()];
	try {
		const credential = await client.createCredential(sandbox.credential);
		const { error } = await client.execute(sendFiles(credential, website.url));
		expect(error).toBeUndefined();
		await expectFilesBehindLinks(sandbox);
	} finally {
		await website.close();
		await sandbox.close();
	}
});
