/** Messages with a deduplication key: where n8n's store is slow or fails, and keys that would lose messages. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import {
	impatiently,
	jsonOf,
	moment,
	numbers,
	until,
	useGateway,
	type ActionOptions,
} from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const options = onceBy('={{ $json.to }}');
const onError = 'continueRegularOutput';

describe('the store', () => {
	it('is called by an execution under way, not by the one before it', async () => {
		const callers: unknown[] = [];
		let answer = () => {};
		const held = new Promise<void>((resolve) => (answer = resolve));
		const record = deduplication.checkProcessedAndRecord.bind(deduplication);
		jest.spyOn(deduplication, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
			callers.push(args[2].workflow);
			if (callers.length === 2) await held; // records that the first message was accepted
			return await record(...args);
		});
		const [one, other] = numbers(2);
		const first = await gateway.start('sendSms', { items: [one!], options });
		await until(() => callers.length === 2);
		const second = await gateway.start('sendSms', { items: [other!], options });
		await moment();
		answer();
		await first.finished;
		expect(jsonOf(await second.finished)).toMatchObject([other!]);
		const [over, , ...later] = callers;
		expect(later.length).toBeGreaterThan(0);
		expect(later).not.toContain(over);
	});

	it('lets nothing be sent when it fails to claim', async () => {
		impatiently();
		const broken = jest.spyOn(deduplication, 'checkProcessedAndRecord');
		broken.mockRejectedValue(new Error('SQLITE_BUSY: database is locked'));
		const items = numbers(3);
		const run = await gateway.run('sendSms', { items, options, onError });
		const error = {
			message: expect.stringContaining('SQLITE_BUSY'),
			hint: "Run the workflow again once n8n's database works. Nothing was sent, because it is not known whether this message was sent before.",
			outcome: 'refused',
		};
		expect(jsonOf(run)).toMatchObject(items.map(() => ({ error })));
		const stopped = await gateway.run('sendSms', { items, options });
		expect(stopped.error?.message).toContain('SQLITE_BUSY');
		expect(gateway.sandbox.requests()).toEqual([]);

		broken.mockRestore();
		const later = await gateway.run('sendSms', { items, options, onError });
		expect(jsonOf(later)).toMatchObject(items);
	});
});

describe('keys that would keep messages of a list from being sent, in silence or one by one', () => {
	const items = numbers(5).map((item, at) => ({ ...item, campaign: 'spring', orderID: at }));
	const send = async (action: ActionOptions) => await gateway.run('sendSms', { items, ...action });
	const count = () => gateway.sandbox.requests().length;

	const equal = onceBy('={{ $json.campaign }}');

	it('a key that an expression makes equal for all is refused before anything leaves', async () => {
		const { error } = await send({ options: equal });
		expect(error?.message).toBe("Nothing was sent: 4 of 5 items can't be sent");
		expect(error?.description).toMatch(
			/^\+\d+, \+\d+, \+\d+ and 1 more: The deduplication key was used for a message to another number: 'spring' in row 2\. Use .* set 'Once Per' to Key and Number\./,
		);
		expect(count()).toBe(0);
		const run = await send({ options: onceBy('={{ $json.campaign }}', 'keyAndNumber') });
		expect(run.error).toBeUndefined();
		expect(count()).toBe(5);
	});

	const without = 'A part of the deduplication key has no value for this item:';
	it.each([
		['={{ $json.orderId }}-shipped', `${without} '{{ $json.orderId }}'`],
		['=shipped {{ $json.campaign }} {{ $json.orderId }}', `${without} '{{ $json.orderId }}'`],
		["={{ $json.orderId + '-shipped' }}", "'Key' contains 'undefined': an expression did not work"],
		['={{ 2 * $json.campaign }}-shipped', `${without} '{{ 2 * $json.campaign }}'`], // NaN, which n8n leaves out
	])('the key %s with a field that is missing is refused', async (key, message) => {
		const { error } = await send({ items: [items[0]!], options: onceBy(key) });
		expect(error?.message).toBe(message);
		expect(count()).toBe(0);
	});

	it('a dry run names the parts of a text that give nothing', async () => {
		const parameters = {
			text: '=Hi {{ $json.name }}, order {{ $json.orderID }} of {{ $json.shop }}, R$ {{ 2 * $json.price }}',
		};
		const run = await send({ items: [items[0]!], parameters, options: { dryRun: true } });
		expect(jsonOf(run)).toMatchObject([
			{
				emptyExpressions: ['{{ $json.name }}', '{{ $json.shop }}', '{{ 2 * $json.price }}'],
				wouldSend: true,
			},
		]);
		const whole = await send({
			items: [{ ...items[0]!, name: 'Ana', shop: 'X', price: 0 }],
			parameters,
			options: { dryRun: true },
		});
		expect(jsonOf(whole)[0]).not.toHaveProperty('emptyExpressions');
	});
});
