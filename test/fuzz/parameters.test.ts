/** With any values in an operation's fields, no invalid request leaves, and every item has a result. */
import type { RecordedRequest } from '../../tools/sandbox';
import { rowOf } from '../../tools/shared/operations';
import { useGateway } from '../engine/action/support';
import { deduplication } from '../engine/harness';
import { checkSecrets, checkStop, endsOf, secretsOf, shownOf } from './support/checks';
import { Finding, fuzz } from './support/fuzz';
import { parameterCases, refusedByN8n, runOf } from './support/parameterCases';

const gateway = useGateway();

fuzz('parameters', parameterCases, async (given) => {
	const { id, itemCount, onError, fields } = given;
	gateway.sandbox.reset();
	deduplication.reset();
	const run = await gateway.run(id, runOf(given)).catch(refusedByN8n);
	if (!run) return;
	if (onError === 'stopWorkflow') checkStop(run);
	else endsOf(run, itemCount, rowOf(id).isList);
	for (const request of gateway.sandbox.requests()) checkRequest(request, Object.keys(fields));
	checkSecrets(secretsOf(gateway.sandbox), ...shownOf(run));
});

/** The interface document allows the request, except for what three fields deliberately let through. */
function checkRequest({ valid, violations, body, path }: RecordedRequest, fields: string[]): void {
	const isLetThrough = (place: string) =>
		(fields.includes('options.extraFields') && place.startsWith('body')) ||
		(fields.includes('options.smsType') && place === 'body.tiposms') ||
		(fields.includes('options.keepNumberAsEntered') && /^body(\.message)?\.to$/.test(place));
	const forbidden = violations.filter(({ loc }) => !isLetThrough(loc.join('.')));
	if (valid || forbidden.length === 0) return;
	throw new Finding(
		'forbidden requests',
		JSON.stringify({ forbidden, path, body }).slice(0, 2_000),
	);
}
