/** The TypeScript client of the kernel: typed calls, streams that survive network failures, chat views, hands. */

export {
  DECISION_FACTS,
  DECISIONS,
  DESCRIBES_REQUEST,
  type Decision,
  type DecisionFacts,
  decisionLifetime,
  describeLifetime,
  dialogOrder,
  factsOfDecision,
  factsOfNote,
  isLasting,
  isSecretPath,
  isSecretRead,
  type LastingDecision,
  NOTE_FACTS,
  type NoteFacts,
  operationParams,
  prefixWords,
  protectedPath,
  type Reach,
  type SandboxExceptions,
  sandboxException,
  suggestedWords,
} from '@chat-kernel/protocol/tables';
export type { CallInput, CallOptions, Method } from './api/calls.ts';
export {
  isConsentRequest,
  type Operation,
  type OperationEvent,
  type SandboxKind,
  toOperation,
} from './api/operation.ts';
export type * from './api/types.ts';
export { KernelClient } from './client/client.ts';
export type { LiveOptions, Presence, RetryOptions, TurnOptions, Upload } from './client/options.ts';
export { PendingCancels } from './client/pending-cancels.ts';
export {
  type AllowRule,
  type Approve,
  allowList,
  allowReads,
  alwaysAsks,
  type Choice,
  denyAll,
} from './hands/approval.ts';
export { type CurrentFile, readCurrentFile, textAfterWrite } from './hands/current-file.ts';
export {
  describeAction,
  describeApproval,
  describeConsent,
  describeSandbox,
} from './hands/describe-action.ts';
export {
  ACTIONS,
  executeOperation,
  factsOfAction,
  type OperationOutcome,
  UNKNOWN_ACTION,
} from './hands/execute-operation.ts';
export {
  decodeFile,
  encodeFile,
  type FileText,
  findEncoding,
  keepForm,
  keepLineEnds,
  type LineEnd,
  withoutMark,
} from './hands/file-text.ts';
export type { Action, FolderEntry, Hands, OperationContext } from './hands/hands.ts';
export type { ExtraToolCall, ExtraToolHandler, HandsOptions } from './hands/hands-options.ts';
export {
  approvalRecord,
  approvalSubject,
  type LastingChoice,
  type LocalApprovals,
  MemoryApprovals,
} from './hands/local-approvals.ts';
export { OwnUploads } from './hands/own-uploads.ts';
export { HandsRunner } from './hands/runner.ts';
export { type StandByOptions, standBy } from './hands/stand-by.ts';
export { operationsOfCall } from './hands/whole-calls.ts';
export {
  ConnectionError,
  isRetryable,
  isUnreachable,
  KernelApiError,
  RetriesExhaustedError,
} from './http/errors.ts';
export type { KernelAddress } from './http/transport.ts';
export { callSummary, type FileChange, toFileChange } from './items/call-summary.ts';
export { type ItemHistory, NO_HISTORY, withNewest, withOlder } from './items/history.ts';
export { type AskedQuestion, type Question, questionOf, readQuestions } from './items/questions.ts';
export { applyEvents } from './items/reducer.ts';
export { applyToRequests } from './items/requests.ts';
export { timeline } from './items/timeline.ts';
export { newTurn, type OpenRequest, type TurnView } from './items/turn-view.ts';
export type { StreamConnection, StreamOptions } from './streams/reconnecting.ts';
export { type SseMessage, SseParser } from './streams/sse.ts';
export { type StartedTurn, type TurnResult, TurnStream } from './streams/turn-stream.ts';
export type { ChatViewOptions } from './view/chat-view.ts';
export { ChatView } from './view/chat-view.ts';
export { skillRequest } from './view/skill-request.ts';
export { type ChatSnapshot, EMPTY_SNAPSHOT } from './view/snapshot.ts';
