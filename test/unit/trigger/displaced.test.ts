import { fold, unfold } from '../../../nodes/MessagingGatewayTrigger/displaced';
import { sealingKeys } from '../../../nodes/MessagingGatewayTrigger/secret/seal';

const keys = sealingKeys('key', 'instance');
const foreign = { url: 'https://crm.example.com/hook?key=hush', enabled: true };
const off = { url: 'https://old.example.com/hook', enabled: false };
const ours = {
	url: `https://n8n.example.com/webhook/4f1c/webhook?mgt=v1.p.${'a'.repeat(43)}`,
	enabled: true,
};

test('a pile comes back from the one setting that stands at the service', () => {
	const folded = fold([ours, foreign, off], keys);
	expect(folded.url.startsWith(`${ours.url}.`)).toBe(true);
	expect(unfold(folded, keys)).toEqual([ours, foreign, off]);
	expect(unfold(folded, sealingKeys('key', 'other'))).toBeUndefined();
});

test.each([
	['one alone', [ours]],
	['what no trigger has registered', [foreign, ours]],
	['what holds a pile already', [fold([ours, off], keys), foreign]],
] as const)('%s stays as it is', (_, [top, ...beneath]) => {
	expect(fold([top, ...beneath], keys)).toEqual(top);
});
