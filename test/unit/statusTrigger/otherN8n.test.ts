/** A copy of n8n's database, at another address. */
import { credential } from '../../../tools/shared/context';
import { everyStatus, watch } from './support';

const at = (n8nAddress: string) => ({ credential: { ...credential, n8nAddress } });

it('asks nothing where the credential is for another n8n, and says so once', async () => {
	const { node, asked } = watch(
		{ event: 'messageStatusChanged' },
		everyStatus('sent'),
		at('https://n8n.example.org'),
	);
	await expect(node.activate()).rejects.toThrow(
		'only be used in the n8n at https://n8n.example.org',
	);
	await node.restart();
	for (let poll = 0; poll < 3; poll++) await node.poll();
	expect(node.failures).toEqual([expect.stringContaining('at https://n8n.example.com')]);
	expect(asked).toEqual([]);
});

it('works where it is', async () => {
	const { node, asked } = watch(
		{ event: 'messageStatusChanged' },
		everyStatus('sent'),
		at('n8n.example.com'),
	);
	await node.activate();
	expect(asked).toEqual(['c-1']);
});
