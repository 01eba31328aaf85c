/**
 * A person's number as chat apps keep it and as its country writes it today: Brazil's ninth digit, Mexico's 1
 * and Argentina's 9. Both are one person, and the chat app gets each as it came, whether its country code comes
 * with + or is 'included'.
 */
import type { IDataObject } from 'n8n-workflow';
import example from '../../../examples/stop-by-reply.json';
import { digitsOfSender } from '../../../tools/examples/consent';
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, moment, until, useGateway, type ActionId, type ActionOptions } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

/** The node of the example that reads the number of a reply, and the digits that one before it finds. */
const { to, ...dryRun } = example.nodes.find(({ name }) => name === 'Read Number')!.parameters;
const digits = "$('What It Says').item.json.digits";
const readNumber = { ...dryRun, to: to!.replace(digits, `(${digitsOfSender})`) };

const numberOf = ({ body }: { body?: unknown }): unknown =>
	((body as IDataObject).message as IDataObject | undefined)?.to ?? (body as IDataObject).to;
const onTheWire = () => gateway.sandbox.requests().map(numberOf);

const persons = [
	['Brazil', '553187654321', '5531987654321'],
	['Mexico', '5215512345678', '525512345678'],
	['Argentina', '541123456789', '5491123456789'],
] as const;

const spellings = [
	['with +', '+', '55'],
	['included', '', 'included'],
] as const;

describe.each(
	persons.flatMap((person) => spellings.map((spelling) => [...person, ...spelling] as const)),
)('%s: %s is %s, %s', (country, old, today, _, plus, defaultCountryCode) => {
	const both = [{ to: `+${old}` }, { to: `+${today}` }];
	const bothAsEntered = [{ to: `${plus}${old}` }, { to: `${plus}${today}` }];
	const run = async (id: ActionId, { credential, ...action }: ActionOptions) =>
		await gateway.run(id, { ...action, credential: { defaultCountryCode, ...credential } });
	const onError = 'continueRegularOutput';

	it('an incoming message is answered at the number that it names', async () => {
		const items = [old, `${old}@c.us`, `${old}:7@s.example.net`, today].map((from) => ({ from }));
		const sent = await run('sendMedia', {
			...{ items, parameters: { to: `=${plus}{{ $json.from }}` } },
		});
		const shown = [old, old, old, today].map((number) => ({ to: `+${number}` }));
		expect(jsonOf(sent)).toMatchObject(shown);
		expect(onTheWire()).toHaveLength(4);
		expect(onTheWire().sort()).toEqual([old, old, old, today].sort());
	});

	it('a STOP from either is found on the list, asked about either', async () => {
		const items = [{ number: `${old}@c.us` }, { number: today }];
		const read = await run('sendSms', { items, onError, parameters: readNumber as never });
		const listed = jsonOf(read).map(({ person }) => person);
		expect(listed).toEqual([`+${today}`, `+${today}`]);
		expect(jsonOf(read).map((item) => item.country)).not.toContain(undefined);

		const subWorkflow = async (asked: IDataObject[]) =>
			asked.map((item) => ({ to: item.to, allowed: !listed.includes(item.to) }));
		const credential = { doNotContactWorkflowId: 'w-1' };
		const sent = await run('sendMedia', { items: bothAsEntered, credential, subWorkflow });
		expect(jsonOf(sent)).toMatchObject(both.map(({ to }) => ({ reason: 'doNotContact', to })));
		expect(gateway.sandbox.requests()).toEqual([]);
	});

	it.each(['key', 'keyAndNumber'] as const)('a key, once per %s, is used once', async (oncePer) => {
		const sent = await run('sendMedia', {
			items: bothAsEntered,
			options: onceBy('={{ "k" }}', oncePer),
		});
		expect(jsonOf(sent)).toMatchObject([both[0], { reason: 'duplicate', to: `+${today}` }]);
		expect(onTheWire()).toEqual([old]);
	});

	it('messages keep their order', async () => {
		const items = [{ to: old }, { to: today }];
		gateway.sandbox.fault({ to: `+${old}`, times: 1, fault: { delayMs: 500 } });
		const execution = await gateway.start('sendSms', {
			...{ items, options: { keepNumberAsEntered: true }, credential: { defaultCountryCode } },
		});
		await until(() => gateway.sandbox.requests().length === 1);
		await moment();
		expect(onTheWire()).toEqual([old]);
		expect((await execution.finished).error).toBeUndefined();
		expect(onTheWire()).toEqual([old, today]);
	});

	it('a retry that spells it otherwise finds what was sent', async () => {
		gateway.sandbox.fault({ times: 1, fault: { status: 500 } });
		const credential = { defaultCountryCode };
		const parameters = { to: `${plus}${old}` };
		const failed = await gateway.run('sendMedia', { parameters, credential });
		const { error } = await gateway.retry(failed, 'sendMedia', {
			...{ parameters: { to: `${plus}${today}` }, currentWorkflow: true, credential },
		});
		expect(error?.message).toMatch(/^The message may have been sent: /);
		expect(onTheWire()).toEqual([old]);
	});

	it('the status of both is found by each', async () => {
		await run('sendMedia', { items: bothAsEntered });
		const sent = await run('getSmsStatus', {
			items: bothAsEntered,
			parameters: { channel: 'chatApp', findBy: 'to', to: '={{ $json.to }}' },
		});
		expect(jsonOf(sent)).toMatchObject([...both, ...both]);
	});

	it('SMS go out in the plan of today', async () => {
		const sent = await run('sendSms', { items: bothAsEntered, onError });
		const ends = [{ to: `+${today}` }, { to: `+${today}` }];
		const message = `'To' is a landline of Argentina (+54): '${plus}${old}'`;
		const landline = { error: { message } };
		expect(jsonOf(sent)).toMatchObject(country === 'Argentina' ? [landline, ends[1]] : ends);
		expect(new Set(onTheWire())).toEqual(new Set([today]));
	});
});
