/** All types that cross the wire, with those that clients derive from them. */
import type { Event, Item, Problem, TurnRequest } from './schemas.ts';

export type * from './schemas.ts';

export type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;
export type ProblemPart = NonNullable<Problem['errors']>[number];
/** The fields of a retry: without text, images and files, the same message is sent again. */
export type RetryRequest = Omit<TurnRequest, 'sender' | 'person_id' | 'anchor' | 'guest' | 'machine'>;
/** The body that starts a turn. */
export type TurnStart = TurnRequest;
export type TurnEnd = EventOf<'done'>['status'];
/** A JSON object whose fields are not the API's. */
export type JsonObject = { [key: string]: unknown };

/**
 * Invalidates the events of the turn so far. They are sent again from the first one, or, if none follows, the turn is in the
 * history. The client creates this event; the kernel sends it if it no longer has turns that a follower has missed.
 */
export interface ResetEvent {
  type: 'reset';
}
/** The events of a turn's stream. An event of a type that is newer than this client comes as it is. */
export type TurnEvent = Event | ResetEvent;
export type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;
