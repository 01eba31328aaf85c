/** What a service may make of a filter whose name the interface leaves open. */
import { jsonOf, useGateway } from './support';

const gateway = useGateway();

const keys = ['active', 'revoked', 'Active', ' active ', null].map((status, index) => ({
	id: `k${index}`,
	status,
}));

const list = async (status: string, answer: unknown = keys) => {
	gateway.sandbox.fault({ fault: { status: 200, body: answer } });
	return await gateway.run('listApiKeys', { parameters: { filters: { status } } });
};

it('takes the keys that were asked for from a list of several statuses', async () => {
	expect(jsonOf(await list('active')).map(({ id }) => id)).toEqual(['k0', 'k2', 'k3']);
});

it('counts them after that', async () => {
	gateway.sandbox.fault({ fault: { status: 200, body: [...keys].reverse() } });
	const parameters = { filters: { status: 'active' }, limit: 1 };
	expect(jsonOf(await gateway.run('listApiKeys', { parameters }))).toEqual([keys[3]]);
});

it.each([[[]], [keys]])('gives none where none has the status: %j', async (answer) => {
	const { error, outputs } = await list('expired', answer);
	expect([error, outputs]).toEqual([undefined, [[]]]);
});

it('takes all of one status, in whatever words: the service has filtered', async () => {
	const found = [1, 2].map((id) => ({ id, status: 'active' }));
	expect(jsonOf(await list('ATIVA', found))).toEqual(found);
});
