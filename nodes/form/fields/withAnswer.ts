import type { IDataObject } from 'n8n-workflow';

import type { AnswerBody } from '../../gateway/answerBody';

/** Adds the service's answer where there is one: the interface does not show its body. */
export function withAnswer(output: IDataObject, answer: AnswerBody | undefined): IDataObject {
	return answer === undefined ? output : { ...output, answer };
}
