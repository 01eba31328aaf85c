import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { receive } from '../../../nodes/MessagingGatewayTrigger/delivery/receive';
import { nodeIdentityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/identity';
import { formatToken } from '../../../nodes/account/triggerToken';
import { credential, makeContext } from '../../../tools/shared/context';
import { isLinear, manyTraces } from '../../../tools/shared/linear';

const conditions = [{ field: 'data.messages[0].status', value: 'sent' }];

/** A delivery to a published node, as n8n has read it. */
function deliveryOf(type: string, body: unknown, request: object, options: object = {}) {
	const context = Object.assign(makeContext(), {
		logger: { debug() {} },
		getNodeParameter: (name: string) => (name === 'options' ? options : ''),
		getInstanceId: () => 'instance-1',
		getWorkflowStaticData: () => ({}),
		getMode: () => 'webhook',
		getRequestObject: () => ({ body, contentType: type.split(';')[0], ...request }),
		getResponseObject: () => ({ status: () => ({ end: () => {} }) }),
		getBodyData: () => body,
		getHeaderData: () => ({ 'content-type': type }),
		getQueryData: (): IDataObject => ({ mgt: formatToken({ workflowId: 'workflow-1', secret }) }),
	}) as unknown as IWebhookFunctions;
	const secret = secretFor(credential.apiKey, nodeIdentityOf(context));
	return context;
}

test('a form with files, of which n8n keeps no raw body, is not read a second time', async () => {
	const readRawBody = jest.fn();
	const body = { data: { to: '55' }, files: {} };
	const context = deliveryOf('multipart/form-data; boundary=x', body, { readRawBody });
	expect(await receive(context)).toEqual({
		webhookResponse: '',
		workflowData: [[{ json: { raw: { to: '55' }, _gateway: { to: '55' } } }]],
	});
	expect(readRawBody).not.toHaveBeenCalled();
});

const megabyte = (text: string) => text.repeat(1e6 / text.length);
const texts = [
	...['eyJ', '{', '[', ' ', '"', '\\', '0', '+', 'mgt=v1.p.', '%25', '1.', '{"a":', '{}\n'],
	...['[]\n{"a":1}\r\n', '{"a":1}\n5', '\ufeff', manyTraces],
];

test.each(texts.map((text) => [text.slice(0, 20), text]))('a megabyte of %j…', async (_, text) => {
	const value = megabyte(text);
	const bodies: unknown[] = [{ to: value }, { status: value, text: value }, { [value]: 1 }, value];
	for (const body of bodies) {
		const raw = typeof body === 'string' ? body : JSON.stringify(body);
		const request = { rawBody: Buffer.from(raw) };
		for (const type of ['application/json', 'text/plain']) {
			const given = type === 'text/plain' ? raw : body;
			const context = deliveryOf(type, given, request, { match: { conditions } });
			let response: unknown;
			const answer = async () => (response = await receive(context));
			expect([type, await isLinear(answer)]).toEqual([type, true]);
			expect(response).toBeTruthy();
		}
	}
});
