import { workflow } from './workflow';

/** Read once for the whole run. */
export const doNotContactWorkflow = workflow(
	{
		displayName: 'Do Not Contact Workflow',
		name: 'doNotContactWorkflow',
		type: 'workflowSelector',
		default: '',
		description:
			'Published workflow that decides who may be contacted. Without its answer, nothing is sent.',
	},
	'Choose the workflow that knows who must not be contacted, or remove the option. Nothing was sent.',
);
