/** With any answers of the service, every item has a result, and no message leaves twice. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { once, parametersFor, rowOf, sends, type ActionId } from '../../tools/shared/operations';
import { hurry, numbers } from '../engine/action/support';
import { runNode } from '../engine/harness';
import { HostileService, answerCases, type AnswerCase } from './support/answerCases';
import { checkSecrets, endsOf, shownOf, type ItemError } from './support/checks';
import { Finding, fuzz } from './support/fuzz';
import {
	apiKey,
	instanceToken,
	isBroken,
	isForNow,
	isPlain,
	isSlow,
	type Script,
} from './support/hostileAnswers';

const lanes = 6;
hurry();

const services = Array.from({ length: lanes }, () => new HostileService());
beforeAll(async () => {
	await Promise.all(services.map(async (service) => await service.start()));
	jest.spyOn(Math, 'random').mockReturnValue(0); // the shortest of the random waits
});
afterAll(async () => await Promise.all(services.map(async (service) => await service.close())));

const check = async ({ id, items: all, maxRetries, sendKeyAs }: AnswerCase, lane: number) => {
	const service = services[lane]!;
	const isSend = sends.some((send) => send === id);
	const items = numbers(isSend ? all.length : 1);
	const recipients = items.map(({ to }) => (isSend ? to : ''));
	const { path, keys } = service.open(all, recipients);
	const run = await runNode({
		items,
		onError: 'continueRegularOutput',
		parameters: {
			...parametersFor(id),
		},
		credential: {
			...{ baseUrl: service.url + path, apiKey, instanceToken, sendKeyAs },
			...{ maxRetries, timeout: all.flat().some(isSlow) ? 1_000 : 600_000 },
		},
	});
	const ends = endsOf(run, items.length, rowOf(id).isList);
	for (const [index, { error }] of ends.entries()) {
		checkEnd(id, service.used.get(keys[index]!) ?? [], error);
	}
	checkSecrets([apiKey, instanceToken], ...shownOf(run));
};

fuzz('answers', answerCases, check, { lanes });

const size = 50 * 2 ** 20;
const large = {
	object: () => Buffer.from(`{"success":true,"messageId":"m-1","more":"${'x'.repeat(size)}"}`),
	list: () => Buffer.from(`[${'"x",'.repeat(size / 4)}{}]`),
	page: () => Buffer.alloc(size, '<p>'),
	zipped: () => gzipSync(Buffer.alloc(size, ' ')),
};

fuzz(
	'answers of 50 MB',
	fc.record({
		id: fc.constantFrom<ActionId>('sendSms', 'getSmsCampaign', 'getWebhook'),
		body: fc.constantFrom(...(Object.keys(large) as Array<keyof typeof large>)),
		framing: fc.constantFrom<Script['framing']>('length', 'chunked', 'close', 'lengthTooShort'),
		status: fc.constantFrom(200, 400, 502),
	}),
	async ({ id, body, framing, status }) => {
		const headers = body === 'zipped' ? ['Content-Encoding: gzip'] : [];
		const script = { status, framing, headers, body: large[body](), before: [], pieces: 1 };
		const rest = { maxRetries: 0, sendKeyAs: 'apiKeyHeader' };
		await check({ id, items: [[script]], ...rest }, 0);
	},
	{ share: 0.005 },
);

function checkEnd(id: ActionId, used: Script[], error: ItemError | undefined): void {
	const last = used.at(-1);
	const fail = (what: string) => {
		throw new Finding('other findings', `${what}: ${JSON.stringify(error)}`);
	};
	if (once.some((each) => each === id)) {
		if (!used.slice(0, -1).every(isForNow)) fail('Sent again');
		if (error?.outcome === 'unknown') checkNoInvitation(error);
	}
	if (!last) return error ? undefined : fail('Nothing left'); // a short time-out, a busy machine
	if (isBroken(last) && error?.outcome !== 'unknown') fail('No clear answer');
	if (!error && last.status >= 300 && id !== 'getConnectionState') fail(`Taken for a yes`);
	if (error && used.length === 1 && isPlain(last) && id === 'sendMedia') fail('Taken for a no');
}

/** An error must not invite anybody to send again, except in what it quotes from the service. */
function checkNoInvitation({ message, hint }: ItemError): void {
	const again =
		/\b(again|once more|later|retry|resend|re-send)\b|novamente|mais tarde|de novo|outra vez|repita|reenvie/i;
	const own = message.replace(/: ".*"$/s, '');
	const found = again.exec(`${own} ${hint}`);
	if (found) throw new Finding('other findings', `Invites to send again: ${message} ${hint}`);
}
