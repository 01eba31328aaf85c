import { firstObject } from '../../gateway/outcome';
import {
	connectionState,
	disconnectedAsAnswer,
	readConnected,
} from '../../gateway/endpoints/instance';
import type { StatusEvent } from '../statusEvent';

type Connection = {
	state: string;
	/** Another state, seen by the last poll only. */
	seen?: string;
};

/**
 * Interface §4.10, which shows no body: an answer without a clear state is ignored. A new state counts
 * when two polls in a row see it, since instances lose their connection for moments.
 */
export const connectionChanged: StatusEvent<Connection> = {
	value: 'connectionChanged',
	name: 'Connection Changed',
	description: 'When the chat-app instance of the credential disconnects or reconnects',

	sources(poll) {
		const judge = disconnectedAsAnswer({ connected: false });
		return [
			{ key: 'instance', name: 'Instance', request: { ...connectionState(poll.client), judge } },
		];
	},

	records(body, { key }) {
		const connected = readConnected(firstObject(body));
		if (connected === null) return [];
		return [{ id: key, state: stateFor(connected), fields: { answer: body } }];
	},

	async compare(before, [record]) {
		if (!record) return { kept: before, changes: [] };
		const { state } = record;
		const kept = { state };
		if (!before || before.state === state) return { kept, changes: [] };
		if (before.seen !== state) return { kept: { ...before, seen: state }, changes: [] };
		return { kept, changes: [{ ...record, from: before.state }] };
	},

	output: ({ state, fields }, { simplify }) => ({
		connected: state === stateFor(true),
		previouslyConnected: state !== stateFor(true),
		...(!simplify && fields),
	}),
};

const stateFor = (connected: boolean): string => (connected ? 'connected' : 'disconnected');
