/** What a wire format must know for the server to speak it, and the few lines all of them share. */
import { randomUUID } from 'node:crypto';
import type { FailureKind, Finish, ScriptedUsage, SpokenStep } from './reply.ts';

export type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google';

/** One model request as it came in. */
export interface RecordedRequest {
  wire: WireName;
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at every part of the body as it is
  body: Record<string, any>;
  model: string;
  /** Why the request was refused, where the strict check found something. */
  rejected?: string;
  /** True once the client hung up before the reply was over. */
  aborted: boolean;
  /** How it ended: the reply was sent whole, the client hung up, or the script cut the connection. */
  ended: Promise<'sent' | 'aborted' | 'cut'>;
}

export interface SpeechFacts {
  request: RecordedRequest;
  usage: ScriptedUsage | null;
}

/** One reply being spoken. Every method answers frames; each frame is one write. */
export interface Speech {
  open(): string[];
  step(step: SpokenStep): string[];
  close(finish: Finish): string[];
}

export interface Wire {
  readonly name: WireName;
  /** The model that a POST to this path asks for; undefined where the path belongs to another wire. */
  model(path: string, body: Record<string, unknown>): string | undefined;
  /** What the real API would refuse, in its words; undefined where it would answer. */
  refuse(request: RecordedRequest): string | undefined;
  speak(facts: SpeechFacts): Speech;
  failure(kind: FailureKind, message?: string): { status: number; body: object };
}

/** One server-sent event. */
export const frame = (data: object | string, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** An id nobody had before. */
export const freshId = (prefix: string): string =>
  `${prefix}${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** Which failure a bare status stands for. */
export function failureOfStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server_error' : 'bad_request';
}

/** The first text that comes twice. */
export function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}
