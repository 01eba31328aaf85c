import { text } from '../field';

/** Read once for the whole run. */
export const doNotContactWorkflow = text({
	displayName: 'Do Not Contact Workflow',
	name: 'doNotContactWorkflow',
	type: 'workflowSelector',
	default: '',
	description:
		'Published workflow that decides who may be contacted. Without its answer, nothing is sent.',
});
