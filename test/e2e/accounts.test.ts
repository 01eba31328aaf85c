/** Credentials with expressions: each item is sent with its own account. Other expressions: engine/action/account. */
import { outputOf } from '../../tools/host';
import { startSandbox } from '../../tools/sandbox';
import { chain, items } from '../../tools/shared/workflows';
import { useHost } from './sharedHost';
import { numbered, smsToEach } from './support/workflows';

const host = useHost();
const rows = numbered(100);

it('the account of each item is its own where item 40 of 100 alone differs', async () => {
	const other = await startSandbox();
	try {
		const { client, sandbox } = host;
		const baseUrl = `={{ $itemIndex === 40 ? "${other.url}" : "${sandbox.url}" }}`;
		const account = await client.createCredential({ ...sandbox.credential, baseUrl });
		const list = chain('Accounts', ...items(...rows), smsToEach(account));
		expect(outputOf(await client.execute(list), 'Gateway')).toHaveLength(100);
		expect(sandbox.accepted()).toHaveLength(99);
		expect(other.accepted().map(({ to }) => to)).toEqual([rows[40]!.to]);
	} finally {
		await other.close();
	}
});
