/** What a client with hands says about them. */
import type { Operation } from '../api/operation.ts';
import type { Approve } from './approval.ts';
import type { ExtraToolHandler } from './extra-tools.ts';
import type { Hands } from './hands.ts';
import type { OwnRecord } from './own-record.ts';
import type { OwnUploads } from './own-uploads.ts';

export interface HandsOptions {
  hands: Hands;
  /**
   * Called for each operation that the owner has to decide about: those with `decisions`, and those that the kernel counts
   * as allowed while `record` does not. Those with `hands: null` are the kernel's own.
   */
  approve: Approve;
  /** What the owner has allowed on this machine; default: a record that ends with the process. */
  record?: OwnRecord | undefined;
  /** Files that this client has sent along: their copies come here unasked. */
  uploads?: OwnUploads | undefined;
  /** The name of this client; default: a new one. Used by two processes, what one has begun may run twice. */
  client_id?: string | undefined;
  /** `approve` is asked for machines that stand by, too; default: other clients answer for them. */
  standby?: boolean | undefined;
  /** Milliseconds for which an answer is tried; default 600,000, as long as the kernel waits for an operation. */
  patienceMs?: number | undefined;
  /** The extra tools that the client's turns declare, by name. */
  tools?: Readonly<Record<string, ExtraToolHandler>> | undefined;
  /** Called when an operation begins, and when it has been answered. */
  onOperation?: ((operation: Operation, state: 'running' | 'answered' | 'over') => void) | undefined;
  /** Called for an answer that the kernel does not take, and for a line that stays broken. */
  onError?: ((error: unknown) => void) | undefined;
}
