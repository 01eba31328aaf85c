/** How fast messages leave through a chat-app instance. */
import { inProcess } from '../../../nodes/n8n/processState';
import { numbers, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => inProcess.clear()); // no pause after the message of another test
const requests = () => gateway.sandbox.requests();

/** In seconds: the shortest that a busy machine can't make by itself. */
const credential = { chatAppPause: '0.08-0.12' };
const leastMs = 80;

it('messages of executions of one instance leave one at a time, whatever they send and with whichever key', async () => {
	const items = numbers(3);
	const other = { ...credential, apiKey: 'another' };
	gateway.sandbox.fault({ fault: { delayMs: 20 } });
	await Promise.all([
		gateway.run('sendMedia', { items, credential }),
		gateway.run('sendAudio', { items, credential }),
		gateway.run('sendMedia', { items, credential: other, onError: 'continueRegularOutput' }),
	]);
	expect(requests()).toHaveLength(9);
	// From the answer to the one before.
	const gaps = requests()
		.slice(1)
		.map(({ at }, index) => at - requests()[index]!.answeredAt!);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(leastMs - 1);
});
