/** The options of `chat-kernel ask`. */
import type { TurnRequest } from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';
import type { HandsPolicy } from '../machine/hands-policy.ts';

export interface AskOptions {
  url: string;
  token?: string | undefined;
  /** If absent, stdin is the message; otherwise stdin is its context. */
  text?: string | undefined;
  /** Chat id. If absent, a new chat. */
  chat?: string | undefined;
  /** Deletes the new chat after the turn. */
  forget: boolean;
  model?: string | undefined;
  effort?: TurnRequest['effort'];
  /** The machine that the model may use, and how operations are approved. */
  hands: HandsPolicy;
  /** How commands run on this machine. */
  commands?: CommandOptions | undefined;
  /** Absolute path. */
  workdir: string;
  /** Paths of files to attach. */
  files: readonly string[];
  /** Writes events instead of text, one JSON object per line. */
  json: boolean;
  /** Writes no progress. */
  quiet: boolean;
}
