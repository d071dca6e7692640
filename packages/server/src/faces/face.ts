/** Defines how the server gets a face: lazily, and under an address of its own. */
import type { Face, FaceOptions } from '@chat-kernel/http';

/** A face that is loaded at the first request to it. */
export interface LazyFace {
  /** The path prefix of all its addresses: `/openai`. */
  prefix: string;
  /** Bodies of all types reach the face, those that are not JSON unread; absent: other bodies are rejected. */
  anyBody?: true;
  /** Maximum number of values in a JSON body, if it differs from that of all routes. */
  maxValues?: number;
  load(): Promise<(options: FaceOptions) => Face>;
}
