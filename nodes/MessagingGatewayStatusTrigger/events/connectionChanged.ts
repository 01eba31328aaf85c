import { firstObject } from '../../gateway/outcome';
import {
	connectionState,
	disconnectedAsAnswer,
	readConnected,
} from '../../gateway/endpoints/instance';
import type { StatusEvent } from '../statusEvent';

type Connection = {
	/** Digest of the instance. */
	instance: string;
	state: string;
	/** Another state, seen by the last poll only. */
	seen?: string;
};

/**
 * Interface §4.10, which shows no body: an answer without a clear state is ignored. A new state counts
 * when two polls in a row see it, since instances lose their connection for moments. The first state
 * of another instance in the credential starts nothing.
 */
export const connectionChanged: StatusEvent<Connection> = {
	value: 'connectionChanged',
	name: 'Connection Changed',
	description: 'When the chat-app instance of the credential disconnects or reconnects',
	fields: [],

	sources(poll) {
		const judge = disconnectedAsAnswer({ connected: false });
		return [
			{ key: 'instance', name: 'Instance', request: { ...connectionState(poll.client), judge } },
		];
	},

	records(body, { key }) {
		const connected = readConnected(firstObject(body));
		if (connected === null) return [];
		return [{ id: key, state: nameOf(connected), fields: { answer: body } }];
	},

	compare(before, [record], { instance }) {
		if (!record) return { kept: before, changes: [] };
		const { state } = record;
		const kept = { instance, state };
		if (before?.instance !== instance || before.state === state) return { kept, changes: [] };
		if (before.seen !== state) return { kept: { ...before, seen: state }, changes: [] };
		return { kept, changes: [{ ...record, from: before.state }] };
	},

	sample: ([record]) => record && { ...record, from: nameOf(record.state !== nameOf(true)) },

	output: ({ from, state, fields }, { simplify }) => ({
		connected: state === nameOf(true),
		previouslyConnected: from === nameOf(true),
		...(!simplify && fields),
	}),
};

const nameOf = (connected: boolean): string => (connected ? 'connected' : 'disconnected');
