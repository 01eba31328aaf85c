import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import { anything, refine, text, type PlainField } from '../field';

/** A workflow selected in the options. */
export interface SelectedWorkflow {
	id: string;
	/** As people know it. */
	name: string;
}

/** What was entered is an ID, or a workflow's whole address in the editor. */
export const workflowIdIn = (entered: string): string =>
	/\/workflow\/([^/?#]+)/.exec(entered)?.[1] ?? entered.trim();

/**
 * A resource locator; an expression may return its value alone, or nothing.
 *
 * @param whenEmpty what to do if none is selected
 */
export function workflow(
	property: INodeProperties,
	whenEmpty: string,
): PlainField<SelectedWorkflow> {
	const part = text(property);
	return refine(anything(property), (selected, owner) => {
		const { value, cachedResultName } = (
			isObject(selected) ? selected : { value: selected }
		) as IDataObject;
		const id = workflowIdIn(part.parse(value, owner));
		if (id !== '') return { id, name: part.parse(cachedResultName, owner) || id };
		throw owner.invalid(`'${property.displayName}' is empty`, whenEmpty);
	});
}
