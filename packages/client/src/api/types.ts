/** Short names for the shapes that cross the wire. All of them are the document's. */
import type { components } from './openapi.ts';

/** Any schema of the document by its name: `Schema<'Approval'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Attachment = Schema<'Attachment'>;
export type Block = Schema<'Block'>;
export type Chat = Schema<'Chat'>;
export type HandsEvent = Schema<'HandsEvent'>;
export type Item = Schema<'Item'>;
export type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;
export type ItemPage = Schema<'ItemPage'>;
export type KernelEvent = Schema<'KernelEvent'>;
export type Message = Schema<'Message'>;
export type OpsResult = Schema<'OpsResult'>;
export type PendingRequest = Schema<'PendingRequest'>;
export type PlanTask = Schema<'PlanTask'>;
export type Problem = Schema<'Problem'>;
export type ProblemPart = NonNullable<Problem['errors']>[number];
export type Resolution = Schema<'Resolution'>;
export type StandByHands = Schema<'StandByHands'>;
export type Turn = Schema<'Turn'>;
export type TurnError = Schema<'TurnError'>;
export type TurnRequest = Schema<'TurnRequest'>;
/** The fields of a retry: without text, images and files, the same message is sent again. */
export type RetryRequest = Omit<TurnRequest, 'sender' | 'person_id' | 'anchor' | 'guest' | 'machine'>;
/** The body that starts a turn. */
export type TurnStart = TurnRequest;
export type TurnStatus = Schema<'TurnStatus'>;
export type StopReason = Schema<'StopReason'>;
export type TurnEnd = Schema<'DoneEvent'>['status'];
export type Usage = Schema<'Usage'>;
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
export type TurnEvent = Schema<'Event'> | ResetEvent;
export type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;
export type EventType = Schema<'EventType'>;
