/** The options of `chat-kernel ask`. */
import type { TurnRequest } from '@chat-kernel/client';
import type { HandsPolicy } from '../machine/hands-policy.ts';

export interface AskOptions {
  url: string;
  token?: string | undefined;
  /** Absent: stdin is the message. Present: stdin is its context. */
  text?: string | undefined;
  /** An id; absent: a new chat. */
  chat?: string | undefined;
  /** The new chat is deleted after the turn. */
  forget: boolean;
  model?: string | undefined;
  effort?: TurnRequest['effort'];
  /** The machine that the model may work on, and with whose consent. */
  hands: HandsPolicy;
  /** Absolute. */
  workdir: string;
  /** Paths of files to send along. */
  files: readonly string[];
  /** Writes events instead of words, one JSON object per line. */
  json: boolean;
  /** Writes no progress. */
  quiet: boolean;
}
