/** The options of `chat-kernel ask`. */
import type { TurnRequest } from '@chat-kernel/client';

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
  /** The operations that this machine does for the model: none; reading below workdir; all. */
  hands: 'none' | 'reads' | 'all';
  /** Absolute. */
  workdir: string;
  /** Paths of files to send along. */
  files: readonly string[];
  /** Writes events instead of words, one JSON object per line. */
  json: boolean;
  /** Writes no progress. */
  quiet: boolean;
}
