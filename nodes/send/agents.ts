import type { IExecuteFunctions, ICredentialDataDecryptedObject as Credential } from 'n8n-workflow';

import { credentialType, itemFields, credentialFields } from '../account/credential';
import { enteredKey, isPerNumber } from '../form/fields/deduplication';
import type { Entered } from '../form/item';
import { restoreItem, itemData, callerOf } from '../n8n/agentItems';
import { ownerOfNode } from '../n8n/errors';
import type { Operation } from './operation';

const callData = /\$(fromAI|parameter)\b/i;

/**
 * Makes a tool take nothing from another item than the one that the AI agent is working on: of several
 * items, n8n evaluates expressions for the first one, or another.
 *
 * @throws NodeOperationError about the first field, also of the credential, that may take its value from
 * another item
 */
export async function useItemOfCall(
	context: IExecuteFunctions,
	entered: Entered,
	{ fields, options = [] }: Operation,
): Promise<void> {
	if (restoreItem(context)) return;
	const isFromItem = (...path: string[]) =>
		entered.hasExpression(...path) && itemData.test(JSON.stringify(entered.at(...path)));
	const credential = await context.getCredentials<Credential>(credentialType, 0);
	const names = String(credential[itemFields.name]).split(',');
	const field =
		fields.find(({ name }) => isFromItem(name)) ??
		options.find(({ name }) => isFromItem('options', name)) ??
		Object.values(credentialFields).find(({ name }) => names.includes(name)) ??
		(names.at(-1) === itemFields.name ? undefined : itemFields);
	const key = enteredKey(entered);
	const isSameKey = key !== '' && !isPerNumber(entered) && !callData.test(key);
	const { length: count } = callerOf(context).items ?? [];
	if (!field && !(isSameKey && count > 1)) return;
	throw ownerOfNode(entered.node).invalid(
		field
			? `'${field.displayName}' comes from your data, but n8n does not say which item this call is for`
			: `The deduplication key is the same for all ${count} items of the AI agent`,
		'Nothing was sent. Give the AI agent one item at a time: put it in a Loop Over Items node with a batch size of 1 and use {{ $json… }}, or move it to a workflow of its own that such a loop calls.',
	);
}
