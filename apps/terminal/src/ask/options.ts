/** What can be asked of `chat-kernel ask`. */
import type { TurnRequest } from '@chat-kernel/client';

export interface AskOptions {
  url: string;
  token?: string | undefined;
  /** Absent: what comes on stdin. With one, stdin is its context. */
  text?: string | undefined;
  /** An id; absent: a new chat. */
  chat?: string | undefined;
  /** The new chat is deleted again. */
  forget: boolean;
  model?: string | undefined;
  effort?: TurnRequest['effort'];
  /** What this machine does for the model: nothing; reading below workdir; anything. */
  hands: 'none' | 'reads' | 'all';
  /** Absolute. */
  workdir: string;
  /** Paths of files to send along. */
  files: readonly string[];
  /** Events instead of words, one JSON object a line. */
  json: boolean;
  /** No progress. */
  quiet: boolean;
}
