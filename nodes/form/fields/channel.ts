import type { Channel } from '../../gateway/endpoints/campaigns';
import { choice } from '../field';

export const channelField = choice<Channel>({
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'SMS', value: 'sms' },
		{ name: 'Chat App', value: 'chatApp' },
	],
	default: 'sms',
	description: 'How the messages were sent',
});
