/** Options of the hand-written calls. */
import type { Bytes } from '../api/calls.ts';
import type { SandboxKind } from '../api/operation.ts';
import type { StreamOptions } from '../streams/reconnecting.ts';

export interface TurnOptions extends StreamOptions {
  /** Requests with the same key start only one turn, also from another process; default: a new key. */
  idempotencyKey?: string | undefined;
}

export interface RetryOptions extends TurnOptions {
  /** Restores the files that tools changed from the message on. */
  files?: 'restore' | undefined;
}

export interface LiveOptions extends StreamOptions {
  /** Continue with later turns. */
  follow?: boolean | undefined;
  /** Event types that are not sent; a kernel ignores types that it does not know. */
  mute?: readonly string[] | undefined;
}

/** A machine that reports its presence. */
export interface Presence {
  /** Stays the same across restarts. */
  client_id: string;
  /** At least 16 characters. After the first connection with it, the kernel accepts the client_id only with it. */
  secret?: string | undefined;
  /** The name that its owner gave it. */
  name: string;
  platform?: string | undefined;
  /** The sandbox of its commands. */
  sandbox?: SandboxKind | undefined;
  /** The operations in progress, read at each connection. */
  running(): readonly string[];
}

export interface Upload {
  name: string;
  media_type: string;
  bytes: Bytes;
}
