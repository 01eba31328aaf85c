import { withAnswer } from '../../fields/withAnswer';
import type { Operation } from '../../operation';

/** Interface §4.9. */
export const logOut: Operation = {
	value: 'logOut',
	name: 'Log Out',
	action: 'Log out instance',
	description:
		'Disconnect a chat-app instance. It cannot send until it is connected again at the messaging service.',
	idempotent: false,
	uncertainty: {
		mayHave: 'The instance may have been logged out',
		check: "'Instance: Get Connection State' shows whether it is still connected.",
	},
	fields: [
		{
			displayName: 'Instance',
			name: 'instance',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. my-instance',
			description:
				'The instance to disconnect, as your messaging service names it in the address of this operation',
		},
	],

	request(item) {
		const instance = item.requiredText('instance', 'Instance');
		return {
			method: 'DELETE',
			path: item.chatAppPath(`/instance/logout/${item.pathPart(instance, 'Instance')}`),
			expected: 'notShown',
			output: (body) => withAnswer({ loggedOut: true, instance }, body),
		};
	},
};
