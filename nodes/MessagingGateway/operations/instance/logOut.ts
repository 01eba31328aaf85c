import { withAnswer } from '../../../gateway/answerBody';
import { logOutInstance } from '../../../gateway/endpoints/instance';
import { identifier, required } from '../../../form/field';
import { operation } from '../../operation';

/** Interface §4.9. */
export const logOut = operation({
	value: 'logOut',
	name: 'Log Out',
	action: 'Log out instance',
	description:
		'Disconnect a chat-app instance. It cannot send until somebody connects it again at the messaging service, which n8n cannot do.',
	idempotent: false,
	uncertainty: {
		mayHave: 'The instance may have been logged out',
		check: "'Instance: Get Connection State' shows whether it is still connected.",
	},
	fields: {
		notice: {
			displayName:
				'<b>n8n cannot undo this.</b> Nothing can be sent through the chat app until somebody connects the instance again at your messaging service.',
			name: 'logOutNotice',
			type: 'notice',
			default: '',
		},
		instance: identifier(
			required({
				displayName: 'Instance',
				name: 'instance',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. my-instance',
				description:
					'The instance to disconnect, as your messaging service names it in the address of this operation',
			}),
		),
	},

	request: ({ instance }, item) => ({
		...logOutInstance(item, instance),
		output: (body) => withAnswer({ loggedOut: true, instance }, body),
	}),
});
