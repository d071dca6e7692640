/** What the completions of one caller share, and where each of them goes. */
import type { KernelClient, Stops } from '@chat-kernel/client';
import type { BoundedMap } from '../base/bounded-map.ts';
import type { KnownChats } from '../chats/known-chats.ts';
import type { Told } from '../conversation/told.ts';

export interface Place {
  chat_id: string;
  /** `named` by the caller, `found` by its history, or `made` for the request. */
  how: 'named' | 'found' | 'made';
  /** What the chat has been told once it has the request. */
  told: Told;
  /** What it is told beside the words of the user. */
  context: string | undefined;
}

export interface Caller {
  kernel: KernelClient;
  stops: Stops;
  known: KnownChats;
  /** Idempotency-Key → where its request went. */
  places: BoundedMap<string, Promise<Place>>;
  /** Requests that are being undone: the next one finds things as they were. */
  undoing: Set<Promise<void>>;
  /** Aborted when the face closes. */
  closing: AbortSignal;
  /** Told of what nobody can be answered any more. */
  onFailure(error: unknown): void;
}
