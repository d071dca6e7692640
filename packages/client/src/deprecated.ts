/** Exports the former names of public functions and classes, for one more minor version. */

export {
  /** @deprecated Use `decisionLifetime`. */
  decisionLifetime as lastsOf,
  /** @deprecated Use `describeDecisionEnd`. */
  describeDecisionEnd as wordsOfEnd,
  /** @deprecated Use `operationParams`. */
  operationParams as paramsOf,
} from '@chat-kernel/protocol/tables';
export {
  /** @deprecated Use `PendingCancels`. */
  PendingCancels as Stops,
} from './client/pending-cancels.ts';
export {
  /** @deprecated Use `describeAction`. */
  describeAction as wordsOfAction,
  /** @deprecated Use `describeSandbox`. */
  describeSandbox as wordsOfSandbox,
} from './hands/describe-action.ts';
export {
  /** @deprecated Use `executeOperation`. */
  executeOperation as perform,
} from './hands/execute-operation.ts';
export {
  /** @deprecated Use `approvalSubject`. */
  approvalSubject as subjectOf,
  /** @deprecated Use `LocalApprovals`. */
  type LocalApprovals as OwnRecord,
  /** @deprecated Use `MemoryApprovals`. */
  MemoryApprovals as RecordInMemory,
} from './hands/local-approvals.ts';
export {
  /** @deprecated Use `ConnectionError`. */
  ConnectionError as BrokenLine,
  /** @deprecated Use `RetriesExhaustedError`. */
  RetriesExhaustedError as ConnectionLost,
} from './http/errors.ts';
export {
  /** @deprecated Use `toFileChange`. */
  toFileChange as changeOf,
} from './items/file-change.ts';
