import type { TriggerPanelDefinition } from 'n8n-workflow';

/** What n8n shows of this node besides its form. */

/** In n8n's list of nodes, and on hovering over the node. */
export const description =
	'Starts the workflow when the status of a message, a campaign, the chat-app instance or an API key changes';

/** Shown at publishing, before a refusal can be known; n8n shows that beside it. */
export const activationMessage =
	'n8n now reads how things stand at your messaging service; if that is refused, a message here says so within about 20 seconds. From then on, every change starts this workflow.';

/** On the left of the form. */
export const triggerPanel: TriggerPanelDefinition = {
	header: "Press 'Fetch Test Event' to see what comes",
	// The only text that n8n shows without a click.
	activationHint: {
		inactive:
			'<b>To try it:</b> one record of your account shows up as if it had just changed.<br /><br /><b>To use it:</b> publish the workflow. What is there already starts nothing; from then on, every change starts it.',
		active:
			'<b>To try it:</b> one record of your account shows up as if it had just changed. The published workflow is left alone.<br /><br /><b>This workflow is published:</b> every change starts it. You see these executions in the <a data-key="executions">executions list</a>.',
	},
};
