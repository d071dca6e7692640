/** A face: the kernel in the API of somebody else, at an address of its own, for clients that know that API alone. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '@chat-kernel/protocol';

/** A request that the guard has let through, its body read as JSON. */
interface FaceRequest {
  method: string;
  /** Below the address of the face, without the query: `/v1/models`. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Undefined: there is none. */
  body: unknown;
  /** Aborted when the caller hangs up, and when all is answered. */
  signal: AbortSignal;
}

export interface FaceAnswer {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, pieces of text as they come. Undefined: there is nothing to say. */
  body: object | AsyncIterable<string> | undefined;
}

export interface Face {
  /** Rejects where the face itself is wrong. */
  answer(request: FaceRequest): Promise<FaceAnswer>;
  /** What the kernel refuses before a face sees it, or after it went wrong, in the words of its API. */
  refusal(problem: Problem): FaceAnswer;
  /** Hangs up on the kernel. */
  close(): void;
}

interface FaceOptions {
  /** The address at which the kernel reaches itself. */
  url: string;
  /** The address under which people reach it; null: the one that they ask. */
  publicUrl: string | null;
  /** Told of what nobody can be answered any more. */
  onFailure(error: unknown): void;
}

/** A face that is loaded when somebody first asks for it. */
export interface LazyFace {
  /** The address below which all is its own: `/openai`. */
  prefix: string;
  load(): Promise<(options: FaceOptions) => Face>;
}
