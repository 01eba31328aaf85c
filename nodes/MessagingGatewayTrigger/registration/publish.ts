import type { IHookFunctions } from 'n8n-workflow';

import { accountOf, checkIsHere } from '../../account/account';
import { credentialType } from '../../account/credential';
import { addressOf } from '../../text/host';
import { withHint } from '../../text/sentences';
import { storeDigest } from '../identity';
import { publicationOf } from '../publication';
import { findOptionsProblem, handleEvent, endRegistration } from './register';
import { openSelf, type Self } from './self';
import { keepRegistered } from './watch';

/**
 * Points the account's webhook here. @throws NodeOperationError when it is in use, the service cannot
 * reach n8n, or does not store the URL; NodeApiError when it does not accept a request
 */
export async function createRegistration(context: IHookFunctions): Promise<boolean> {
	const mode = context.getActivationMode();
	const isStarting = mode === 'init';
	const publication = publicationOf(context);
	if (isStarting || mode === 'leadershipChange') {
		// n8n itself starts, so nobody would read an error: the watch repeats what fails now.
		const address = addressOf(context.getNodeWebhookUrl('default')!);
		publication.published = { address, isStarting };
		await keepRegistered(context);
		return true;
	}
	try {
		const self = await openSelfFor(context);
		await handleEvent('publish', self, findOptionsProblem(context));
		if (!self.isTest) publication.published = { address: self.address };
		return true;
	} catch (error) {
		throw withWholeText(error as Error);
	}
}

/** Adds the hint to the message: n8n shows nothing else when this fails. */
const withWholeText = (error: Error): Error => Object.assign(error, { message: withHint(error) });

/**
 * Switches the webhook off, or gives it back to the publication that a test has borrowed it from. Leaves
 * what is somebody else's.
 *
 * After a test or a failed publication, errors are only logged: n8n would not try again, and n8n 2.40
 * breaks when `delete` throws. It then skips `create` at the next publication, and any workflow's next
 * test keeps it busy for a minute.
 *
 * @throws NodeApiError when unpublishing and the service does not accept a request
 */
export async function removeRegistration(context: IHookFunctions): Promise<boolean> {
	const publication = publicationOf(context);
	const published = isListening(context) ? undefined : publication.published;
	if (published) {
		publication.published = undefined;
		await publication.check; // it could register what nobody would switch off
	}
	try {
		await end(context);
		return true;
	} catch (error) {
		const whole = withWholeText(error as Error);
		if (published) {
			publication.published = published;
			throw whole;
		}
		context.logger.error(`Could not switch the webhook of the account off: ${whole.message}`);
		return false;
	}
}

async function end(context: IHookFunctions): Promise<void> {
	const account = accountOf(await context.getCredentials(credentialType));
	void account.n8nAddress; // what cannot be used does not make this another n8n
	try {
		checkIsHere(context, account);
	} catch (other) {
		context.logger.warn(`Left the webhook of the account alone: ${(other as Error).message}`);
		return;
	}
	await endRegistration(await openSelfFor(context));
	storeDigest(context);
}

const openSelfFor = async (context: IHookFunctions): Promise<Self> =>
	await openSelf(context, context.getNodeWebhookUrl('default')!, isListening(context));

/** Whether this is a test: n8n begins one in mode `manual` and ends it in `update`, with an inactive workflow. */
const isListening = (context: IHookFunctions): boolean => !context.getWorkflow().active;
