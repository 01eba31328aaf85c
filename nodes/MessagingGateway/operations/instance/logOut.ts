import { identifier, required } from '../../../form/textField';
import { notice } from '../../../n8n/properties';
import { operation, hintsToCheck } from '../../../send/operation';
import { logOutInstance, readConnected } from '../../../service/endpoints/instance';
import { withAnswer, firstObject } from '../../../service/outcome';

/** Interface §4.9. It does not show the body of a success: `loggedOut` is null if the service does not say. */
export const logOut = operation({
	value: 'logOut',
	name: 'Log Out',
	action: 'Log out instance',
	description: 'Disconnect a chat-app instance. Only your messaging service can reconnect it.',
	idempotent: false,
	uncertainty: {
		mayHave: 'The instance may have been logged out',
		does: 'logs out',
		done: 'logged out',
		check: "Check with 'Instance: Get Connection State' whether it is still connected.",
	},
	hints: hintsToCheck('Instance'),
	fields: {
		notice: notice(
			'logOutNotice',
			'n8n cannot undo this. The chat app sends nothing until you reconnect the instance at your messaging service. Some services disconnect the instance of the credential, whatever name you enter.',
		),
		instance: identifier(
			required({
				displayName: 'Instance',
				name: 'instance',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. my-instance',
				description: 'Name of the instance to disconnect, as your messaging service shows it',
			}),
		),
	},

	request: ({ instance }, item) => ({
		...logOutInstance(item.account, instance),
		output(body) {
			const answer = firstObject(body);
			const isLoggedOut = answer.success === true || readConnected(answer) === false;
			return withAnswer({ loggedOut: isLoggedOut || null, instance }, body);
		},
	}),
});
