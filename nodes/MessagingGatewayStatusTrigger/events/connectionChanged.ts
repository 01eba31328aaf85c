import {
	connectionState,
	disconnectedAsAnswer,
	readConnected,
} from '../../service/endpoints/instance';
import { firstObject } from '../../service/outcome';
import type { StatusEvent } from '../statusEvent';

type Connection = {
	state: string;
	/** The latest state that was clear. Unclear ones may come between two that are. */
	lastClear?: string;
	/** Another state, seen by the last poll only. */
	seen?: string;
};

const [connected, disconnected, unclear] = ['connected', 'disconnected', 'unclear'];

/**
 * Interface §4.10 shows no body, so an answer can be unclear, which is a state like the others. A new state
 * counts when two polls in a row see it, since instances lose their connection for moments. Disconnected
 * starts the workflow, whatever was before; connected does so where the last clear state was disconnected.
 */
export const connectionChanged: StatusEvent<Connection> = {
	value: 'connectionChanged',
	name: 'Connection Changed',
	description: 'When the chat-app instance of the credential disconnects or reconnects',

	sources({ client }) {
		const request = { ...connectionState(client), judge: disconnectedAsAnswer };
		return [{ key: 'instance', name: 'Instance', request }];
	},

	records(body, { key }) {
		const isConnected = readConnected(firstObject(body));
		const state = isConnected === null ? unclear : isConnected ? connected : disconnected;
		return [{ id: key, state, fields: { connected: isConnected, answer: body } }];
	},

	async compare(before, records) {
		const record = records[0]!;
		const { state } = record;
		const kept = { state, lastClear: state === unclear ? before?.lastClear : state };
		if (!before || before.state === state) return { kept, changes: [] };
		if (before.seen !== state) return { kept: { ...before, seen: state }, changes: [] };
		const isBack = state === connected && before.lastClear === disconnected;
		if (!isBack && state !== disconnected) return { kept, changes: [] };
		return { kept, changes: [{ ...record, from: isBack ? disconnected : before.state }] };
	},

	output: ({ state, from, fields }, { simplify }) => ({
		connected: fields.connected,
		previouslyConnected: [state, from].includes(unclear) ? null : !fields.connected,
		...(!simplify && { answer: fields.answer }),
	}),
};
