/** Types for the extra tools of a client's turns: calls and their handlers. */
import type { JsonObject } from '../api/types.ts';

/** The call of an extra tool, as its handler receives it. */
export interface ExtraToolCall {
  /** The id of the tool_call event. */
  id: string;
  chat_id: string;
  /** Shows a snapshot of the progress, which replaces the previous one. */
  progress(output: string): void;
}

/** Resolves with the result for the model; a rejection is an error that the model reads. */
export type ExtraToolHandler = (
  input: JsonObject,
  signal: AbortSignal,
  call: ExtraToolCall,
) => Promise<string | JsonObject>;
