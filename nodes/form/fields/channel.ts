import type { Channel } from '../../gateway/endpoints/campaigns';
import { choice } from '../field';

export const channelField = choice<Channel>({
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'Chat App', value: 'chatApp' },
		{ name: 'SMS', value: 'sms' },
	],
	default: 'chatApp',
	description: 'Channel that the campaign was sent through',
});
