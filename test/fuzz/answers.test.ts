/** With any answers of the service, every item has a result, and no message leaves twice. */
import {
	audioFile,
	once,
	parametersFor,
	rowOf,
	sends,
	type ActionId,
} from '../../tools/shared/operations';
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

async function check({ id, items: all, maxRetries, sendKeyAs }: AnswerCase, lane: number) {
	const service = services[lane]!;
	const isSend = sends.some((send) => send === id);
	const items = numbers(isSend ? all.length : 1);
	const recipients = items.map(({ to }) => (isSend ? to : ''));
	const { path, keys } = service.open(all, recipients);
	const run = await runNode({
		items: items.map((json) => ({ json, binary: audioFile })),
		onError: 'continueRegularOutput',
		parameters: parametersFor(id),
		credential: {
			...{ baseUrl: service.url + path, apiKey, sendKeyAs, chatApp: true, instanceToken },
			...{ serviceDetails: true, maxRetries, timeout: all.flat().some(isSlow) ? 1_000 : 600_000 },
		},
	});
	const ends = endsOf(run, items.length, rowOf(id).isList);
	for (const [index, { error }] of ends.entries()) {
		checkEnd(id, service.used.get(keys[index]!) ?? [], error);
	}
	checkSecrets([apiKey, instanceToken], ...shownOf(run));
}

fuzz('answers', answerCases, check, { lanes });

function checkEnd(id: ActionId, used: Script[], error: ItemError | undefined): void {
	const last = used.at(-1);
	const fail = (what: string) => {
		throw new Finding('other findings', `${what}: ${JSON.stringify(error)}`);
	};
	if (once.some((each) => each === id) && !used.slice(0, -1).every(isForNow)) fail('Sent again');
	if (!last) return error ? undefined : fail('Nothing left'); // a short time-out, a busy machine
	if (isBroken(last) && error?.outcome !== 'unknown') fail('No clear answer');
	if (!error && last.status >= 300 && id !== 'getConnectionState') fail(`Taken for a yes`);
	if (error && used.length === 1 && isPlain(last) && id === 'sendMedia') fail('Taken for a no');
}
