import { isObject } from '../../gateway/answerBody';
import { isNothing, type Item } from '../../form/item';

/** What every answer has below `data`, and what each kind has besides. */
const answerFields = ['respondedAt', 'approved', 'choice', 'text'];

/**
 * Without an answer, n8n goes on with the item as it came in: after the limit, and when an execution
 * that was stopped is retried. What it holds of an earlier question would pass for this one's answer.
 *
 * @throws NodeOperationError when it holds such a thing
 */
export function rejectEarlierAnswer(item: Item): void {
	const { approved, data } = item.json;
	const field = answerFields.find((name) => isObject(data) && !isNothing(data[name]));
	if (field) throw held(item, `data.${field}`, 'data');
	// n8n's review of an agent's tools takes this for an approval, too.
	if (item.isHumanReview && typeof approved === 'boolean') throw held(item, 'approved', 'approved');
}

function held(item: Item, found: string, removable: string) {
	const place = item.isHumanReview ? 'the AI Agent' : 'this one';
	return item.invalid(
		`The item has '${found}' before anybody has answered`,
		`Without an answer the item goes on as it came in, and this would pass for one. Remove '${removable}' from the item with an Edit Fields node in front of ${place}.`,
	);
}
