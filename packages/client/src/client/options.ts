/** The options of the calls that are written by hand. */
import type { Bytes } from '../api/calls.ts';
import type { EventType } from '../api/types.ts';
import type { StreamOptions } from '../streams/reconnecting.ts';

export interface TurnOptions extends StreamOptions {
  /** The same key starts one turn, also from another process; default: a new one. */
  idempotencyKey?: string | undefined;
}

export interface LiveOptions extends StreamOptions {
  /** Stay for the turns to come. */
  follow?: boolean | undefined;
  /** Event types that are not sent. */
  mute?: readonly EventType[] | undefined;
}

/** A machine that says it is here. */
export interface Presence {
  /** Stays the same from one start to the next. */
  client_id: string;
  /** As its owner knows it. */
  name: string;
  platform?: string | undefined;
  /** The operations that it is at, whenever it connects. */
  running(): readonly string[];
}

export interface Upload {
  name: string;
  media_type: string;
  bytes: Bytes;
}
