/** The interface that a provider API implements for the server, and a few lines that all of them share. */
import { randomUUID } from 'node:crypto';
import type { FailureKind, Finish, ScriptedUsage, SpokenSteps, StepVisitor } from './reply.ts';

type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google';

/** A model request as received. */
export interface RecordedRequest {
  wire: WireName;
  method: string;
  /** Includes the query. */
  path: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read every part of the raw body
  body: Record<string, any>;
  model: string;
  /** The rejection with the text of the real API, if the strict check found a mistake. */
  rejected?: string;
  /** True once the client disconnected before the reply was over. */
  aborted: boolean;
  /** Resolves with how the exchange ended: complete reply, client disconnected, or connection cut by the script. */
  ended: Promise<'sent' | 'aborted' | 'cut'>;
}

export interface SpokenReply {
  request: RecordedRequest;
  usage: ScriptedUsage | null;
}

/** Builds a reply. Every method returns frames; each frame is one write. */
export interface Speech {
  open(): string[];
  steps: StepVisitor<SpokenSteps, string[]>;
  close(finish: Finish): string[];
}

export interface ScriptedWire {
  readonly name: WireName;
  /** Returns the model that a POST to this path requests; undefined if the path belongs to another provider API. */
  model(path: string, body: Record<string, unknown>): string | undefined;
  /** Returns the rejection with the text of the real API; undefined if it would accept the request. */
  refuse(request: RecordedRequest): string | undefined;
  speak(facts: SpokenReply): Speech;
  failure(kind: FailureKind, message?: string): { status: number; body: object };
}

/** Formats a server-sent event. */
export const frame = (data: object | string, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Creates a unique id. */
export const freshId = (prefix: string): string =>
  `${prefix}${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** Returns the failure that a bare status selects. */
export function failureOfStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server_error' : 'bad_request';
}

/** Returns the first text that occurs twice. */
export function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}
