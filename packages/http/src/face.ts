/** Defines a face: an adapter that offers the kernel through another API under its own address. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem, Settings } from '@chat-kernel/protocol';

/** A request that has passed the guard, with its body parsed as JSON. */
export interface FaceRequest {
  method: string;
  /** The path below the address of the face, without the query: `/v1/models`. Empty for the address itself. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Undefined if there is no body, or if it is not JSON. */
  body: unknown;
  /** With `anyBody`: the unread bytes of a body that is not JSON. */
  bytes?: AsyncIterable<Uint8Array>;
  /** Aborted when the client disconnects, and when the answer is complete. */
  signal: AbortSignal;
}

export interface FaceAnswer {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON; pieces of text are streamed. Undefined: the answer has no body. */
  body: object | AsyncIterable<string | Uint8Array> | undefined;
}

export interface Face {
  /** Rejects on an internal error of the face. */
  answer(request: FaceRequest): Promise<FaceAnswer>;
  /** Converts an error of the kernel, before or after the face handled the request, to the format of its API. */
  refusal(problem: Problem): FaceAnswer;
  /** Closes its connections to the kernel. */
  close(): void;
}

export interface FaceOptions<Name extends keyof Settings['interfaces'] = keyof Settings['interfaces']> {
  /** The address at which the kernel reaches itself. */
  url: string;
  /** Sends a request there without a socket. */
  fetch: typeof fetch;
  /** The public address of the kernel; null if it is the one in the request. */
  publicUrl: string | null;
  /** The settings of all faces; each uses its own. */
  interfaces: Pick<Settings['interfaces'], Name>;
  /** Receives errors that can no longer be returned to a client. */
  onFailure(error: unknown): void;
}
