/** Five items, one of them bad, under each error setting of n8n. */
import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../../../tools/sandbox';
import { useGateway, type ActionOptions } from './support';

const gateway = useGateway();

const bad = 2;
const items = [
	'+5511900100000',
	'+5511900100001',
	'+5511900100002',
	'+5511900100003',
	'+5511900100004',
	// The customer's own fields, by names that an error could have.
].map((to, index) => ({ json: { to, order: index, message: 'Hello', details: 'x', hint: 'y' } }));

interface Case {
	name: string;
	fault?: Fault;
	action?: ActionOptions;
	/** What comes out as `error`, besides its hint and item. */
	error: IDataObject;
}

const cases: Case[] = [
	{
		name: 'a bad parameter',
		action: { parameters: { to: `={{ $json.order === ${bad} ? '12' : $json.to }}` } },
		error: { message: "'To' is too short for Brazil (+55): '12'", outcome: 'refused', to: '12' },
	},
	{
		name: 'unknown, without an answer',
		fault: { reset: 'beforeAccept' },
		error: {
			message: expect.stringMatching(/^The message may have been sent: the connection/) as never,
			outcome: 'unknown',
		},
	},
];

async function run({ fault, action }: Case, onError: ActionOptions['onError']) {
	if (fault) gateway.sandbox.fault({ to: items[bad]!.json.to, fault });
	return await gateway.run('sendSms', { ...action, items, onError });
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/;

/** What a good item comes out as. */
const sent = (item: number) => ({
	json: {
		messageId: gateway.sandbox.accepted({ to: items[item]!.json.to })[0]?.messageId,
		status: 'pending',
		channel: 'sms',
		to: items[item]!.json.to,
		segments: 1,
		encoding: 'GSM-7',
		sentAt: expect.stringMatching(iso) as never,
		success: true,
		message: 'SMS aceito.',
	},
	pairedItem: { item },
});

/** The error that comes out. */
const errorOf = ({ error }: Case) => ({
	hint: expect.any(String) as unknown,
	item: bad,
	to: items[bad]!.json.to,
	...error,
});

const others = [0, 1, 3, 4];

describe.each(cases)('$name', (bent) => {
	it('comes out among the others with Continue', async () => {
		const { outputs, error } = await run(bent, 'continueRegularOutput');
		expect(error).toBeUndefined();
		expect(outputs).toHaveLength(1);
		expect(outputs[0]).toEqual(
			[0, 1, bad, 3, 4].map((item) =>
				item === bad ? { json: { error: errorOf(bent) }, pairedItem: { item } } : sent(item),
			),
		);
		expect(gateway.sandbox.accepted()).toHaveLength(others.length);
	});

	it('goes to the error output, with the fields of its input', async () => {
		const { outputs, error } = await run(bent, 'continueErrorOutput');
		expect(error).toBeUndefined();
		expect(outputs[0]).toEqual(others.map(sent));
		expect(outputs[1]).toEqual([
			{
				json: { ...items[bad]!.json, error: errorOf(bent) },
				pairedItem: { item: bad },
			},
		]);
	});

	it('ends the node otherwise, and the error says what became of the others', async () => {
		const { outputs, error } = await run(bent, 'stopWorkflow');
		expect(outputs).toEqual([]);
		const accepted = gateway.sandbox.accepted();
		const { to, message, outcome } = errorOf(bent) as IDataObject;
		expect(error).toMatchObject({
			context: { itemIndex: bad, data: { failed: [{ item: bad, to, error: message, outcome }] } },
		});
		if (bent.fault) {
			expect(error).toMatchObject({ message });
			expect(error?.description).toMatch(
				new RegExp(`^${accepted.length} of 5 items were sent, 1 `),
			);
		} else {
			expect(accepted).toEqual([]);
			expect(error?.message).toBe("Nothing was sent: 1 of 5 items can't be sent");
			expect(error?.description).toContain(`Item ${bad}: `);
			expect(error?.description).toContain(
				"'Continue (using error output)': the rest is then sent.",
			);
		}
	});
});
