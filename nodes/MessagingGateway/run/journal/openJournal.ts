import type { IExecuteFunctions } from 'n8n-workflow';

import { servesAgent } from '../../../gateway/agent';
import type { Uncertainty } from '../../../gateway/errors';
import type { Journal } from './journal';
import { RunJournal } from './runJournal';
import { ToolJournal } from './toolJournal';

export const openJournal = (context: IExecuteFunctions, uncertainty: Uncertainty): Journal =>
	servesAgent(context.getNode())
		? new ToolJournal(context, uncertainty)
		: new RunJournal(context, uncertainty);
