/** The interface that a wire format implements for the server to speak it, and the few lines that all formats share. */
import { randomUUID } from 'node:crypto';
import type { FailureKind, Finish, ScriptedUsage, SpokenSteps, StepVisitor } from './reply.ts';

type WireName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google';

/** A model request as it came in. */
export interface RecordedRequest {
  wire: WireName;
  method: string;
  /** Includes the query. */
  path: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at every part of the body as it is
  body: Record<string, any>;
  model: string;
  /** The refusal in the words of the real API, where the strict check found a mistake. */
  rejected?: string;
  /** True once the client hung up before the reply was over. */
  aborted: boolean;
  /** Resolves with how the exchange ended: reply sent whole, client hung up, or connection cut by the script. */
  ended: Promise<'sent' | 'aborted' | 'cut'>;
}

export interface SpokenReply {
  request: RecordedRequest;
  usage: ScriptedUsage | null;
}

/** A reply that is being spoken. Every method returns frames; each frame is one write. */
export interface Speech {
  open(): string[];
  steps: StepVisitor<SpokenSteps, string[]>;
  close(finish: Finish): string[];
}

export interface ScriptedWire {
  readonly name: WireName;
  /** Returns the model that a POST to this path asks for; undefined where the path belongs to another wire. */
  model(path: string, body: Record<string, unknown>): string | undefined;
  /** Returns the refusal of the real API, in its words; undefined where that would answer. */
  refuse(request: RecordedRequest): string | undefined;
  speak(facts: SpokenReply): Speech;
  failure(kind: FailureKind, message?: string): { status: number; body: object };
}

/** Formats a server-sent event. */
export const frame = (data: object | string, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Makes an id that no other step has. */
export const freshId = (prefix: string): string =>
  `${prefix}${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** Returns the failure that a bare status stands for. */
export function failureOfStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server_error' : 'bad_request';
}

/** Returns the first text that comes twice. */
export function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}
