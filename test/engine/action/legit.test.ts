/**
 * Values that people mean, from exports, templates and bug reports. Each arrives as it was meant (`want`;
 * default: as it is), or is refused for the reason beside it (`refused`).
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { legitValues, probes, type LegitValue, type Probe } from './legit/probes';
import { jsonOf, pairs, useGateway } from './support';

const gateway = useGateway();
const taken = { success: true, messageId: 'message-1', status: 'pending' };

const groups = new Map<string, Map<string, LegitValue[]>>();
for (const value of legitValues) {
	const { field, group, expr, fixed, home, timezone, v } = value;
	const alone = (fixed || field === 'message' || field === 'label') && v;
	/** One run can send those that have this in common. */
	const common = JSON.stringify([field, expr, home, timezone, alone]);
	const runs = groups.get(group) ?? new Map<string, LegitValue[]>();
	groups.set(group, runs.set(common, [...(runs.get(common) ?? []), value]));
}

describe.each([...groups])('%s', (_, runs) => {
	it.each([...runs])('%s', async (_common, list) => {
		const [{ field, expr, fixed, home, timezone, v: first }] = list as [LegitValue];
		const { id, parameters, arrived }: Probe = probes[field];
		const value = fixed ? String(first) : (expr ?? '={{ $json.v }}');
		const { options, ...others } = parameters(value);
		// The document knows none of these fields, so the sandbox would refuse them.
		if (field === 'extraFields') gateway.sandbox.fault({ fault: { status: 200, body: [taken] } });
		const run = await gateway.run(id, {
			items: list.map(({ v, item }) => ({ v, ...item }) as IDataObject),
			parameters: others,
			options: options as INodeParameters,
			credential: home ? { defaultCountryCode: home } : {},
			rules: { maxConcurrency: 1 },
			timezone,
			onError: 'continueRegularOutput',
		});
		const bodies = gateway.sandbox.requests().map(({ body }) => body as IDataObject);
		// Messages to one number wait for each other, so others overtake them.
		const place = ({ message }: IDataObject) => Number((message as IDataObject).msg);
		if (field === 'to') bodies.sort((one, other) => place(one) - place(other));
		const ends = jsonOf(run).map(({ error }, at) => {
			const { v, want = v } = list[pairs(run.outputs[0])[at]!]!;
			const refused = (error as IDataObject | undefined)?.message;
			return refused ? { v, refused } : { v, want: arrived(bodies.shift()!, want) };
		});
		expect(ends).toEqual(
			list.map(({ v, want = v, refused }) => (refused ? { v, refused } : { v, want })),
		);
	});
});
