/** Credentials with expressions: each item is sent with its own account. */
import { outputOf, type HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain, gateway, items } from '../../tools/shared/workflows';
import { sharedHost } from './sharedHost';

describe('the account of each item', () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let other: Sandbox;

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox();
		other = await startSandbox();
	});
	beforeEach(() => [sandbox, other].forEach((each) => each.reset()));
	afterAll(async () => {
		await sandbox.close();
		await other.close();
	});

	const rows = Array.from({ length: 100 }, (_, index) => ({
		to: `+55119001${String(index).padStart(5, '0')}`,
		isOther: index === 40,
	}));
	const execute = async (credential: object) => {
		const account = await client.createCredential({ ...sandbox.credential, ...credential });
		const parameters = { to: '={{ $json.to }}', text: 'Hi' };
		const send = gateway(account, 'message', 'sendSms', parameters);
		return await client.execute(chain('Accounts', ...items(...rows), send));
	};

	it.each([
		'$input.item?.json?.isOther',
		'$itemIndex === 40',
		'$input.all()[$itemIndex]?.json.isOther',
	])('is its own where item 40 of 100 alone differs by %s', async (isOther) => {
		const baseUrl = `={{ ${isOther} ? "${other.url}" : "${sandbox.url}" }}`;
		const execution = await execute({ baseUrl });
		expect(outputOf(execution, 'Gateway')).toHaveLength(100);
		expect(sandbox.accepted()).toHaveLength(99);
		expect(other.accepted().map(({ to }) => `+${to}`)).toEqual([rows[40]!.to]);
	});
});
