/** The shapes that cross the wire, under short names. All of them are the document's; none is written here twice. */
import type { components } from './openapi.ts';

/** Any schema of the document by its name: `Schema<'Approval'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Attachment = Schema<'Attachment'>;
export type Block = Schema<'Block'>;
export type Chat = Schema<'Chat'>;
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
export type Turn = Schema<'Turn'>;
export type TurnError = Schema<'TurnError'>;
export type TurnRequest = Schema<'TurnRequest'>;
/** What starts a turn. */
export type TurnStart = TurnRequest;
export type TurnStatus = Schema<'TurnStatus'>;
export type TurnEnd = Schema<'DoneEvent'>['status'];
export type Usage = Schema<'Usage'>;
/** JSON objects whose fields others decide. */
export type JsonObject = { [key: string]: unknown };

/**
 * Of this client, not of the kernel: what was told of the turn so far is void. It is told again from its beginning,
 * or, where nothing follows, stands in the history.
 */
export interface ResetEvent {
  type: 'reset';
}
/** What the stream of a turn tells. Events of types that are newer than this client come as they are. */
export type TurnEvent = Schema<'Event'> | ResetEvent;
export type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;
export type EventType = Schema<'EventType'>;
