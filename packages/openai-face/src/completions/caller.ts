/** Defines the shared state of one caller's completions, and the chat of each request. */
import type { BoundedMap } from '@chat-kernel/base';
import type { Chat, KernelClient, PendingCancels } from '@chat-kernel/client';
import type { KnownChats } from '../chats/known-chats.ts';
import type { CallerContext } from '../conversation/caller-context.ts';

export interface Place {
  chat_id: string;
  /** The chat was `named` by the caller, `found` by its history, or `made` for the request. */
  how: 'named' | 'found' | 'made';
  /** The context that the chat has with this request. */
  told: CallerContext;
  /** Additional context besides the user's text. */
  context: string | undefined;
}

export interface Caller {
  kernel: KernelClient;
  stops: PendingCancels;
  /** The consent of new chats. */
  consent: Chat['consent'];
  known: KnownChats;
  /** Idempotency-Key → the chat of its request. */
  places: BoundedMap<string, Promise<Place>>;
  /** Requests that are being stopped or undone; the next request waits for them. */
  undoing: Set<Promise<void>>;
  /** Aborted when the face closes. */
  closing: AbortSignal;
  /** Receives errors that can no longer be returned to a client. */
  onFailure(error: unknown): void;
}
