/** The lists of a form, however long: at these sizes, quadratic work takes minutes. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchApiKeys, searchCampaigns } from '../../../nodes/form/lists';
import { credential, makeContext } from '../../../tools/shared/context';

const contextOf = (answer: unknown) =>
	Object.assign(
		makeContext({
			http: async () => ({ statusCode: 200, headers: {}, body: JSON.stringify(answer) }),
		}),
		{ getCurrentNodeParameter: () => 'sms' },
	) as unknown as ILoadOptionsFunctions;

const count = 100_000;

test('campaigns, of which only those that share a name show their ID', async () => {
	const campaigns = Array.from({ length: count }, (_, index) => ({
		campaignId: `id-${String(index).padStart(6, '0')}`,
		nome: `${'x'.repeat(50)} ${index >> 1}`,
		statistics: {},
	}));
	campaigns[0]!.nome = 'Alone';
	const { results } = await searchCampaigns.call(contextOf({ campaigns }));
	expect(results).toHaveLength(count);
	expect(results.slice(0, 4).map(({ name }) => name.replace(/x+/, 'x'))).toEqual([
		'Alone',
		'x 0',
		'x 1 · …0002',
		'x 1 · …0003',
	]);
});

test('the own key, among masks of any length', async () => {
	const masks = [
		'a'.repeat(4 * count) + '•',
		'•'.repeat(count),
		`••••${String(credential.apiKey).slice(-4)}`,
	];
	const keys = masks.map((masked_key, index) => ({ id: String(index), name: 'K', masked_key }));
	const { results } = await searchApiKeys.call(contextOf([...keys].reverse()));
	expect(results.map(({ name }) => name.includes('in use here'))).toEqual([false, false, true]);
});
