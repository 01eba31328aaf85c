import {
	recall,
	remember,
	rememberEnd,
} from '../../../nodes/MessagingGatewayTrigger/registration/memory';

const address = 'https://n8n.example.com/webhook/4f1c/webhook';
const registration = { url: `${address}?token=x`, account: 'a', borrowed: [] };

test('knows registrations by their address, and their ends', () => {
	expect(recall(address)).toBeUndefined();
	remember(registration);
	expect(recall(`${address}?token=y`)).toBe(registration);
	rememberEnd(address);
	expect(recall(registration.url)).toBe('ended');
});

test('forgets what is long past, not what is new again', () => {
	rememberEnd(address);
	rememberEnd('https://n8n.example.com/old');
	remember(registration);
	for (let index = 0; index < 9_999; index++) rememberEnd(`https://n8n.example.com/${index}`);
	expect(recall(address)).toBe(registration);
	expect(recall('https://n8n.example.com/old')).toBeUndefined();
});
