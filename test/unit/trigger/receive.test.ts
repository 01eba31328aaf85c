import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { receive } from '../../../nodes/MessagingGatewayTrigger/delivery/receive';
import { identityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/identity';
import { formatToken } from '../../../nodes/gateway/triggerToken';
import { credential, makeContext } from '../../../tools/shared/context';

test('a form with files, of which n8n keeps no raw body, is not read a second time', async () => {
	const readRawBody = jest.fn();
	const body = { data: { to: '55' }, files: {} };
	const context = Object.assign(makeContext(), {
		getNodeParameter: (name: string) => (name === 'options' ? {} : ''),
		getInstanceId: () => 'instance-1',
		getWorkflowStaticData: () => ({}),
		getMode: () => 'webhook',
		getRequestObject: () => ({ body, readRawBody }),
		getBodyData: () => body,
		getHeaderData: () => ({ 'content-type': 'multipart/form-data; boundary=x' }),
		getQueryData: (): IDataObject => ({ mgt: formatToken({ secret }) }),
	}) as unknown as IWebhookFunctions;
	const secret = secretFor(credential.apiKey, identityOf(context));
	expect(await receive(context)).toEqual({
		webhookResponse: '',
		workflowData: [[{ json: { raw: { to: '55' }, _gateway: { to: '55' } } }]],
	});
	expect(readRawBody).not.toHaveBeenCalled();
});
