/** Any delivery to the trigger is answered, and starts an execution only with the secret. */
import { startWebhook, type Delivery } from '../engine/harness';
import { secretIn, TriggerWorkflow, useSandbox } from '../engine/trigger/support';
import { checkSecrets, secretsOf } from './support/checks';
import {
	asParameters,
	deliveryCases,
	post,
	type Answer,
	type Request,
} from './support/deliveryCases';
import { Finding, fuzz } from './support/fuzz';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
let search: string;
let secret: string;
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
	({ search } = new URL(sandbox().webhook.url!));
	secret = secretIn(search);
});

const prototype = Reflect.ownKeys(Object.prototype).length;

fuzz('deliveries', deliveryCases, async ({ request, options: given }) => {
	workflow.options.options = asParameters(given);
	const server = await startWebhook(workflow.prepare(false));
	let answer: Answer;
	let delivery: Delivery | undefined;
	try {
		answer = await post(server.url, request, secret);
		[delivery] = await server.deliveries();
	} finally {
		await server.close();
	}
	check(request, answer, delivery);
});

function check(request: Request, answer: Answer, delivery: Delivery | undefined): void {
	const fail = (what: string) => {
		throw new Finding(
			'other findings',
			`${what}: ${JSON.stringify({ answer, delivery }).slice(0, 2_000)}`,
		);
	};
	// n8n itself answers a broken gzip body with 500.
	const isBadlyZipped = request.headers.some(([, value]) => value === 'gzip');
	if (delivery?.error) throw new Finding('raw crashes', String(delivery.error.stack));
	const { status } = answer;
	const isExpected = status === 200 || (status >= 400 && status < (isBadlyZipped ? 501 : 500));
	if (!isExpected) fail('Another status');
	const hasSecret = /^\?(a=1&)?mgt=v1\.p\.\{secret\}(\.s+)?$/.test(request.query);
	if (delivery?.started && !hasSecret) fail('Started without the secret');
	if (!hasSecret && status === 200) fail('Taken without the secret');
	if (Reflect.ownKeys(Object.prototype).length !== prototype || 'polluted' in {}) fail('Polluted');
	const items = delivery?.started?.flat() ?? [];
	if (!items.every(({ json: each }) => Object.hasOwn(each, '_gateway'))) fail('Not marked');
	checkSecrets([secret, ...secretsOf(sandbox())], items, answer);
}
