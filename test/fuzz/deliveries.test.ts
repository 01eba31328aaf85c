/** Any delivery to the trigger is answered, and starts an execution only with the secret. */
import {
	startWebhook,
	type Delivery,
	type WebhookOptions,
	type WebhookServer,
} from '../engine/harness';
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
let options: WebhookOptions;
let server: WebhookServer; // one for all cases: Node.js keeps something of each for a while
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
	({ search } = new URL(sandbox().webhook.url!));
	secret = secretIn(search);
	options = workflow.prepare(false);
	server = await startWebhook(options);
});
let started = 0;
afterEach(async () => {
	await server.close();
	expect(started).toBeGreaterThan(0); // or no case had the secret
});

const prototype = Reflect.ownKeys(Object.prototype).length;

fuzz('deliveries', deliveryCases, async ({ request, options: given }) => {
	workflow.options.options = asParameters(given);
	Object.assign(options, workflow.prepare(false));
	const [, withWorkflow = ''] = search.split('v1.p.'); // the workflow's ID and the secret
	const answer = await post(server.url, request, withWorkflow);
	const [delivery] = await server.deliveries();
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
	if (delivery?.error?.message === 'invalid syntax') return; // of an option: publishing refuses it
	if (delivery?.error) throw new Finding('raw crashes', String(delivery.error.stack));
	const { status } = answer;
	const isExpected = status === 200 || (status >= 400 && status < (isBadlyZipped ? 501 : 500));
	if (!isExpected) fail('Another status');
	const hasSecret = /^\?(a=1&)?mgt=v1\.p\.\{secret\}$/.test(request.query);
	if (delivery?.started) started++;
	if (delivery?.started && !hasSecret) fail('Started without the secret');
	if (!hasSecret && status === 200) fail('Taken without the secret');
	if (Reflect.ownKeys(Object.prototype).length !== prototype || 'polluted' in {}) fail('Polluted');
	const items = delivery?.started?.flat() ?? [];
	if (!items.every(({ json: each }) => Object.hasOwn(each, '_gateway'))) fail('Not marked');
	checkSecrets([secret, ...secretsOf(sandbox())], items, answer);
}
