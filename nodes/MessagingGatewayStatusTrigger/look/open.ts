import { createHmac } from 'crypto';
import { NodeOperationError } from 'n8n-workflow';
import type { IPollFunctions } from 'n8n-workflow';

import { connectWith, credentialType } from '../../gateway/client';
import { ownedBy } from '../../gateway/owner';
import { findEvent } from '../events';
import { readSettings } from '../settings';
import type { Look, Source, StatusEvent } from '../statusEvent';

/** What one look is about. */
export interface OpenLook {
	event: StatusEvent;
	look: Look;
	sources: Source[];
}

/** @throws NodeOperationError or UserError when a parameter or the credential cannot be used */
export async function openLook(context: IPollFunctions): Promise<OpenLook> {
	const node = context.getNode();
	const event = findEvent(context.getNodeParameter('event'));
	if (!event) throw new NodeOperationError(node, 'Choose an event');
	const credential = await context.getCredentials(credentialType);
	const client = connectWith(context, credential, { isShown: true });
	const digest = (...words: unknown[]) =>
		createHmac('sha256', context.getInstanceId())
			.update([client.origin, ...words.map((word) => String(word).trim())].join(' '))
			.digest('base64url');
	const look: Look = {
		settings: readSettings(context),
		client,
		account: digest(credential.apiKey),
		instance: digest(client.names.chatAppName, credential.instanceToken),
		...ownedBy(node),
	};
	return { event, look, sources: event.sources(look) };
}
