import type { INode, INodeParameters } from 'n8n-workflow';

import { gateway, httpRequestSms, node } from '../shared/workflows';
import type { BenchCredential } from './bench';

/** The ways to send the same SMS. */
export const ways = ['package', 'httpRequest', 'declarative', 'floor'] as const;
export type Way = (typeof ways)[number];

export const titles: Record<Way, string> = {
	package: 'this package',
	httpRequest: 'HTTP Request node',
	declarative: 'declarative node',
	floor: 'floor',
};

/** The node whose time is measured. */
export const measuredNode = 'Send';

const to = '={{ $json.phone }}';
const text = '=Hello {{ $json.name }}, your order {{ $json.order }} is on its way.';

/** A node that sends one SMS per item in this way. */
export function smsNode(way: Way, credential: BenchCredential, options: INodeParameters = {}) {
	const account = { id: credential.id, name: credential.name };
	const more: Partial<INode> = { credentials: { messagingGatewayApi: account } };
	const twin = (type: string) => node(measuredNode, `CUSTOM.${type}`, { to, text }, more);
	switch (way) {
		case 'package':
			return {
				...gateway(account, 'message', 'sendSms', { to, text, options }),
				name: measuredNode,
			};
		case 'httpRequest':
			return {
				...httpRequestSms(account, credential.baseUrl, { to, text }, { options }),
				name: measuredNode,
			};
		case 'declarative':
			return twin('benchDeclarativeSms');
		case 'floor':
			return twin('benchFloorSms');
	}
}
