import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { receive } from '../../../nodes/MessagingGatewayTrigger/delivery/receive';
import { identityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/token';
import { formatToken } from '../../../nodes/gateway/triggerToken';
import { credential, makeContext } from '../../../testing/context';

/** A delivery as n8n hands it over. */
function makeDelivery(headers: IDataObject, request: IDataObject & { body: unknown }) {
	const context = Object.assign(makeContext(), {
		getNodeParameter: (name: string) => (name === 'options' ? {} : ''),
		getInstanceId: () => 'instance-1',
		getWorkflowStaticData: () => ({}),
		getMode: () => 'webhook',
		getRequestObject: () => request,
		getBodyData: () => request.body,
		getHeaderData: () => headers,
	}) as unknown as IWebhookFunctions;
	const secret = secretFor(credential.apiKey, identityOf(context));
	return Object.assign(context, { getQueryData: () => ({ mgt: formatToken({ secret }) }) });
}

test('a form with files, of which n8n keeps no raw body, is not read a second time', async () => {
	const readRawBody = jest.fn();
	const file = { originalFilename: 'a.png', mimetype: 'image/png', size: 7 };
	const headers = { 'content-type': 'multipart/form-data; boundary=x' };
	const body = { data: { to: '55' }, files: { photo: file } };
	const { workflowData } = await receive(makeDelivery(headers, { body, readRawBody }));
	expect(readRawBody).not.toHaveBeenCalled();
	expect(workflowData).toEqual([
		[
			{
				json: {
					raw: { to: '55' },
					files: [{ field: 'photo', name: 'a.png', type: 'image/png', size: 7 }],
					_gateway: { to: '55' },
				},
			},
		],
	]);
});
