/** The TypeScript client of the kernel: typed calls, streams that survive the network, chats to draw, hands. */
export type {
  AnswerOf,
  BodyOf,
  CallAnswer,
  CallInput,
  CallOptions,
  Method,
  PathOf,
  QueryOf,
} from './api/calls.ts';
export type { Operation } from './api/operation.ts';
export type * from './api/types.ts';
export { KernelClient } from './client/client.ts';
export type { LiveOptions, Presence, TurnOptions, Upload } from './client/options.ts';
export { Stops } from './client/stops.ts';
export { wordsOfAction, wordsOfSandbox } from './hands/action-words.ts';
export {
  type AllowRule,
  type Approve,
  allowList,
  allowReads,
  type Choice,
  DECISIONS,
  type Decision,
  denyAll,
  type LastingDecision,
} from './hands/approval.ts';
export type { ExtraToolCall, ExtraToolHandler } from './hands/extra-tools.ts';
export type { Action, FolderEntry, Hands, OperationContext } from './hands/hands.ts';
export type { HandsOptions } from './hands/hands-options.ts';
export { type LastingChoice, type OwnRecord, RecordInMemory, subjectOf } from './hands/own-record.ts';
export { OwnUploads } from './hands/own-uploads.ts';
export { ACTIONS, type OperationOutcome, perform, UNKNOWN_ACTION } from './hands/perform.ts';
export { HandsRunner } from './hands/runner.ts';
export { type StandByOptions, standBy } from './hands/stand-by.ts';
export { BrokenLine, ConnectionLost, KernelApiError } from './http/errors.ts';
export type { KernelAddress } from './http/transport.ts';
export { callSummary } from './items/call-summary.ts';
export { changeOf, type FileChange } from './items/file-change.ts';
export { type ItemHistory, NO_HISTORY, withNewest, withOlder } from './items/history.ts';
export { applyEvents } from './items/reducer.ts';
export { timeline } from './items/timeline.ts';
export { newTurn, type OpenRequest, type TurnView } from './items/turn-view.ts';
export type { StreamConnection, StreamOptions } from './streams/reconnecting.ts';
export { type SseMessage, SseParser } from './streams/sse.ts';
export { type StartedTurn, type TurnResult, TurnStream } from './streams/turn-stream.ts';
export { ChatView } from './view/chat-view.ts';
export type { ChatViewOptions } from './view/chat-view-options.ts';
export { skillRequest } from './view/skill-request.ts';
export type { ChatSnapshot } from './view/snapshot.ts';
