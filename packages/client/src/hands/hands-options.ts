/** Options of a client with hands. */
import type { Operation, SandboxKind } from '../api/operation.ts';
import type { JsonObject } from '../api/types.ts';
import type { Approve } from './approval.ts';
import type { Hands } from './hands.ts';
import type { LocalApprovals } from './local-approvals.ts';
import type { OwnUploads } from './own-uploads.ts';

export interface HandsOptions {
  hands: Hands;
  /**
   * Called for each operation that needs the owner's decision: those with `decisions`, and those that the kernel treats
   * as allowed while `record` does not. Operations with `hands: null` run on the kernel's own machine; `describeConsent` says why
   * the kernel asks about them.
   */
  approve: Approve;
  /** Operations that the owner has allowed on this machine; default: a record that lasts as long as the process. */
  record?: LocalApprovals | undefined;
  /** Files that this client has sent: their copies are written here without approval. */
  uploads?: OwnUploads | undefined;
  /** The id of this client; default: a new one. If two processes use the same id, an operation may run twice. */
  client_id?: string | undefined;
  /**
   * Ask once for all operations of a call: `approve` must then judge and show all commands or paths in `call` of an
   * operation. Default: each operation is asked about.
   */
  whole_calls?: boolean | undefined;
  /** The name of this client in the history of decisions, such as `terminal`. */
  client_name?: string | undefined;
  /** Returns the sandbox of commands on this machine, for `approve`. */
  sandbox?: (() => Promise<SandboxKind>) | undefined;
  /** Also call `approve` for stand-by machines; default: other clients decide for them. */
  standby?: boolean | undefined;
  /** Milliseconds for which a response is retried; default 600,000, as long as the kernel waits for an operation. */
  patienceMs?: number | undefined;
  /** The extra tools that the client's turns declare, by name. */
  tools?: Readonly<Record<string, ExtraToolHandler>> | undefined;
  /** Called when an operation begins, and when it has been answered. */
  onOperation?: ((operation: Operation, state: 'running' | 'answered' | 'over') => void) | undefined;
  /** Called for a response that the kernel refuses, and for a connection that stays interrupted. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The call of an extra tool, as its handler receives it. */
export interface ExtraToolCall {
  /** The id of the tool_call event. */
  id: string;
  chat_id: string;
  /** Shows a snapshot of the progress, which replaces the previous one. */
  progress(output: string): void;
}

/** Resolves with the result for the model; a rejection is an error that the model reads. */
export type ExtraToolHandler = (
  input: JsonObject,
  signal: AbortSignal,
  call: ExtraToolCall,
) => Promise<string | JsonObject>;
