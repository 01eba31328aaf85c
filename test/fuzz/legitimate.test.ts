/** Values that people mean are sent as they were meant, whatever else is in their list. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { legitValues, probes, type LegitValue, type Probe } from '../engine/action/legit/probes';
import { jsonOf, pairs, useGateway } from '../engine/action/support';
import { deduplication } from '../engine/harness';
import { fuzz, Finding } from './support/fuzz';
import { jsonValue } from './support/values';

const gateway = useGateway();

/** Those of the fields whose value is in the request. */
const meant = legitValues.filter(
	({ field, expr, fixed, refused }) =>
		['text', 'plain', 'scheduleAt', 'mediaUrl', 'mimeType', 'to'].includes(field) &&
		![expr, fixed, refused].some(Boolean),
);

const cases = fc.constantFrom(...meant).chain((first) => {
	const { field, home, timezone } = first;
	const others = meant.filter(
		(each) => each.field === field && each.home === home && each.timezone === timezone,
	);
	const entry = fc.oneof(
		fc.constantFrom(...others),
		jsonValue.map((v) => ({ ...first, v, isHostile: true })),
	);
	return fc.array(entry as fc.Arbitrary<LegitValue & { isHostile?: true }>, {
		minLength: 2,
		maxLength: 8,
	});
});

fuzz('legitimate and hostile values', cases, async (list) => {
	const [{ field, home, timezone }] = list as [LegitValue];
	gateway.sandbox.reset();
	deduplication.reset();
	const { id, parameters, arrived }: Probe = probes[field];
	const { options, ...others } = parameters('={{ $json.v }}');
	const numberOf = (at: number) => `551191234567${at}`;
	const run = await gateway.run(id, {
		items: list.map(({ v }, at) => ({ v, to: numberOf(at) }) as IDataObject),
		parameters: { ...others, ...(field !== 'to' && { to: '=+{{ $json.to }}' }) },
		options: options as INodeParameters,
		credential: home ? { defaultCountryCode: home } : {},
		timezone,
		onError: 'continueRegularOutput',
	});
	const errors = new Map(
		jsonOf(run).map(({ error }, at) => [pairs(run.outputs[0])[at], error as IDataObject]),
	);
	const placeOf = (body: IDataObject) => {
		const { to, msg } = (body.message ?? body) as { to: string; msg: string };
		return field === 'to' ? Number(msg) : Number(to.at(-1));
	};
	const bodies = new Map(
		gateway.sandbox.requests().map(({ body }) => [placeOf(body as IDataObject), body]),
	);
	list.forEach(({ v, want = v, isHostile }, at) => {
		if (isHostile) return;
		const body = bodies.get(at) as IDataObject | undefined;
		const got = body && arrived(body, want);
		if (JSON.stringify(got) === JSON.stringify(want)) return;
		const shown = JSON.stringify({ v, want, got, error: errors.get(at) });
		throw new Finding('other findings', shown.slice(0, 2_000));
	});
});
