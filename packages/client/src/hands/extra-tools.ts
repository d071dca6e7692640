/** The extra tools of a client's turns: what it does when they are called. */
import type { JsonObject } from '../api/types.ts';

/** The call of an extra tool, for its handler. */
export interface ExtraToolCall {
  /** That of the event tool_call. */
  id: string;
  chat_id: string;
  /** Shows a snapshot of the progress, which replaces the one before. */
  progress(output: string): void;
}

/** Resolves with the result for the model; a rejection is an error that the model reads. */
export type ExtraToolHandler = (
  input: JsonObject,
  signal: AbortSignal,
  call: ExtraToolCall,
) => Promise<string | JsonObject>;
