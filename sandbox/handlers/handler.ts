import type { operations } from '../../nodes/gateway/interface';
import type { ServiceState } from '../state';
import type { Channel, Names, OperationId } from '../types';

type Body<Id extends OperationId> = operations[Id] extends {
	requestBody: { content: { 'application/json': infer Json } };
}
	? Json
	: undefined;

type Success<Id extends OperationId> =
	operations[Id]['responses']['2XX']['content']['application/json'];

/** A request that was found valid and whose credential was accepted. */
export interface Call<Id extends OperationId> {
	path: operations[Id]['parameters']['path'];
	query: Record<string, string | undefined>;
	body: Body<Id>;
	names: Names;
	state: ServiceState;
	/** Takes a message into its campaign and into the ledger; gives its id. */
	accept(channel: Channel, to: string, text: string): string;
}

/** Gives the body of a success, or throws a `Refusal`. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Success<Id>;

export type Handlers<Ids extends OperationId = OperationId> = { [Id in Ids]: Handler<Id> };
