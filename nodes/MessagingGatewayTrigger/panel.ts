import type { TriggerPanelDefinition } from 'n8n-workflow';

/** What n8n shows of this node besides its form. */

/** In n8n's list of nodes, this node and the action node are one entry, which shows this text. */
export const description =
	'Send SMS and chat-app messages, ask for approval, or start the workflow when a delivery report or another notification arrives';

/** Shown at publishing, before a refusal can be known; n8n shows that beside it. */
export const activationMessage =
	'n8n now registers the webhook of your account; if that is refused, a message here says so within about 20 seconds. Once it is registered, every delivery starts this workflow.';

/** On the left of the form. */
export const triggerPanel: TriggerPanelDefinition = {
	header: "Press 'Execute step', then send yourself an SMS",
	// The only text that n8n shows without a click.
	activationHint: {
		inactive:
			'<b>To try it:</b> what your service tells of the SMS shows up here. Listening borrows the webhook of your account for two minutes at most, then gives it back.<br /><br /><b>To use it:</b> publish the workflow, and every delivery starts it. If publishing is refused, a message says so within about 20 seconds, although n8n says “published” at once.',
		active:
			'<b>To try it:</b> what your service tells of the SMS shows up here. Until it does, or for two minutes at most, <b>deliveries come here and do not start the published workflow</b>.<br /><br /><b>This workflow is published:</b> every delivery starts it. You see these executions in the <a data-key="executions">executions list</a>.',
	},
	executionsHelp: {
		inactive:
			'<b>While you build the workflow</b>, one delivery at a time comes here: press the button, then let your messaging service deliver something, such as the report of an SMS to your own phone.<br /><br /><b>Once the workflow is published</b>, every delivery starts it. You see these executions in the <a data-key="executions">executions list</a>, not in the editor.',
		active:
			'<b>Every delivery starts this workflow</b>, since it is published. You see these executions in the <a data-key="executions">executions list</a>, not in the editor.<br /><br /><b>While you listen for a test</b>, deliveries come here instead, for two minutes at most.',
	},
};
