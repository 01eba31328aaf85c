import type { IDataObject } from 'n8n-workflow';

import {
	forget,
	known,
	recall,
	remember,
} from '../../../nodes/MessagingGatewayTrigger/secret/cache';
import { identityOf } from '../../../nodes/MessagingGatewayTrigger/token';

test('what is remembered of a node is added up, and its digest outlives what n8n loses', () => {
	const data: IDataObject = {};
	const context = {
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', active: true }),
		getNode: () => ({ id: 'node', webhookId: 'webhook' }),
		getWorkflowStaticData: () => data,
	} as unknown as Parameters<typeof remember>[0];
	remember(context, { digest: 'first' });
	remember(context, { address: 'https://n8n.example.com/webhook' });
	const both = { digest: 'first', address: 'https://n8n.example.com/webhook' };
	expect(recall(context)).toMatchObject(both);
	expect(known.get(identityOf(context))?.digest).toBe('first');

	// As in a workflow that was imported with the static data of this one.
	const copy = { ...context, getWorkflow: () => ({ id: 'copy', active: true }) };
	expect(recall(copy as unknown as typeof context)).toEqual({});

	forget(context);
	expect(recall(context)).toEqual({});
	expect(known.get(identityOf(context))?.digest).toBe('first');
});
