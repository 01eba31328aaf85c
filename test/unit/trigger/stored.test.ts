/** What n8n stores of a trigger, letter by letter. It is a cache: what can't be read is not there. */
import type { IDataObject } from 'n8n-workflow';

import { staticData, type StoringContext } from '../../../nodes/MessagingGatewayTrigger/identity';

const contextOf = (stored: IDataObject) =>
	({
		getInstanceId: () => 'i',
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id: 'n', webhookId: 'h' }),
		getWorkflowStaticData: () => stored,
	}) as unknown as StoringContext;

const all = { address: 'https://n8n.example.com/w', digest: 'd', displaces: true, borrows: true };
const stored = { ...all, v: 1, node: 'Z2c8zP359cKPMydP' };

test('is written and read', () => {
	const data: IDataObject = {};
	staticData.add(contextOf(data), all);
	expect(data).toEqual({ webhook: stored });
	expect(staticData.read(contextOf(data))).toEqual(stored);
	staticData.clear(contextOf(data));
	expect(data).toEqual({});
});

test.each([
	['a newer version', { ...stored, v: 2 }],
	['another node, as of a copied workflow', { ...stored, node: 'other' }],
])('of %s, it is not read', (_, webhook) => {
	expect(staticData.read(contextOf({ webhook }))).toEqual({});
});
