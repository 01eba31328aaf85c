/** Accounts: names, addresses and certificates that differ, also from item to item. */
import { SEEDS } from '../../../tools/sandbox';
import { operationIds, sends } from '../../../tools/shared/operations';
import { jsonOf, numbers, useGateway } from './support';

const gateway = useGateway();
const onError = 'continueRegularOutput';

describe('an account whose service differs', () => {
	const gateway = useGateway({
		basePath: '/gateway/api',
		https: true,
		names: {
			chatAppName: 'wave',
			campaignIdParameter: 'campanha_id',
			keyStatusParameter: 'estado',
			audioScheduleField: 'agendamento',
		},
	});

	it('is asked as its credential says, by every operation', async () => {
		const credential = { sendKeyAs: 'bearer', baseUrl: `${gateway.sandbox.url}/` };
		for (const id of operationIds) {
			const { error } = await gateway.run(id, { credential });
			expect([id, error?.message]).toEqual([id, undefined]);
		}
		const requests = gateway.sandbox.requests();
		expect(requests.map(({ operationId }) => operationId)).toEqual(operationIds);
		for (const { valid, path, headers } of requests) {
			expect([valid, path.startsWith('/gateway/api/')]).toEqual([true, true]);
			expect(headers).not.toHaveProperty('x-api-key');
			expect(headers.authorization).toBe(`Bearer ${SEEDS.apiKey}`);
		}
		const bodies = requests.map(({ body }) => body);
		expect(bodies[operationIds.indexOf('sendAudio')]).toHaveProperty('wave_mode', 'private');
		expect(requests.map(({ query }) => query)).toContainEqual({
			campanha_id: SEEDS.campaigns.sms.finished,
		});
		const parameters = { scheduleAt: '2030-01-02T03:04:05Z' };
		await gateway.run('sendAudio', { parameters });
		await gateway.run('listApiKeys', { parameters: { filters: { status: 'active' } } });
		const [audio, keys] = gateway.sandbox.requests().slice(-2);
		expect(audio).toMatchObject({
			valid: true,
			body: { agendamento: '2030-01-01T22:04:05-05:00' },
		});
		expect(keys).toMatchObject({ valid: true, query: { estado: 'active' } });
	});
});

describe('a credential with expressions', () => {
	const other = useGateway();

	/** To which of the two services each number went. */
	const goneTo = (items: Array<{ to: string }>) =>
		items.map(({ to }) => [gateway, other].map(({ sandbox }) => sandbox.timesAccepted({ to })));

	it.each(sends)('sends each item of %s with its own account', async (id) => {
		const items = numbers(12).map((item, index) => ({ ...item, isOther: index % 3 === 0 }));
		const baseUrl = `={{ $json.isOther ? "${other.sandbox.url}" : "${gateway.sandbox.url}" }}`;
		const run = await gateway.run(id, { items, credential: { baseUrl } });
		expect(run.error).toBeUndefined();
		expect(goneTo(items)).toEqual(items.map(({ isOther }) => (isOther ? [0, 1] : [1, 0])));
	});

	it.each([
		['$input.item?.json?.key', SEEDS.apiKey],
		['[undefined, "wrong"][[20].indexOf($itemIndex) + 1]', SEEDS.apiKey],
		['$input.all()[$itemIndex]?.json.key', SEEDS.apiKey],
		['$("Items").all()[$itemIndex]?.json.key', SEEDS.apiKey],
	])('%s is noticed where item 20 of 30 alone differs', async (expression, right) => {
		const items = numbers(30).map((item, index) => ({
			...item,
			key: index === 20 ? 'wrong' : right,
		}));
		const credential = { apiKey: `={{ ${expression} ?? "${right}" }}` };
		const run = await gateway.run('sendSms', { items, credential, onError });
		expect(jsonOf(run).findIndex(({ error }) => error)).toBe(20);
		expect(jsonOf(run).filter(({ messageId }) => messageId)).toHaveLength(29);
	});

	it.each([
		['without any, is read once', {}, 1],
		[
			'in any field is read for each item',
			{ keyStatusParameter: '={{ $json.s ?? "status" }}' },
			30,
		],
		['in a switch, too', { allowUnauthorizedCerts: '={{ $itemIndex < 0 }}' }, 30],
		['by a field of the node, too', { keyStatusParameter: '={{ $parameter.text }}' }, 30],
		['of no item is read once', { keyStatusParameter: '={{ $workflow.name && $now }}' }, 1],
		['where n8n does not show that there is none, too', { itemFields: '' }, 30],
	])('%s', async (_, credential, reads) => {
		const run = await gateway.run('sendSms', { items: numbers(30), credential });
		expect([run.error, run.credentialReads]).toEqual([undefined, reads]);
	});
});

describe("'Only Use in This n8n'", () => {
	const instanceUrl = 'http://n8n.test:5678';
	const here = ['', `${instanceUrl}/`, instanceUrl, instanceUrl.toUpperCase(), 'n8n.test:5678'];
	const elsewhere = ['https://n8n.example.com', 'n8n.example.com', 'http://127.0.0.1:1'];
	it.each([...here, ...elsewhere])('%j is here, or nothing leaves, and why', async (n8nAddress) => {
		const said = `only be used in the n8n at ${n8nAddress}`;
		const refusal = elsewhere.includes(n8nAddress) && (expect.stringContaining(said) as string);
		for (const id of sends) {
			const { error } = await gateway.run(id, { instanceUrl, credential: { n8nAddress } });
			expect(error?.message ?? false).toEqual(refusal);
		}
		expect(gateway.sandbox.requests()).toHaveLength(refusal ? 0 : sends.length);
	});

	it.each([undefined, null, [], ' '])('whose expression gives %j is nowhere', async (address) => {
		const credential = { n8nAddress: '={{ $json.address }}' };
		const items = [{ to: '+5511912345678', address }] as never;
		const { error } = await gateway.run('sendSms', { instanceUrl, items, credential });
		expect(error?.message).toContain("'Only Use in This n8n'");
		expect(gateway.sandbox.requests()).toEqual([]);
	});
});
