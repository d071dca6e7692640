/** What one line says: an answer, a notification, a request, or nothing that JSON-RPC knows. */
import type { JsonObject } from '@chat-kernel/protocol';
import { RpcError } from './failures.ts';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;

export type Outcome = { result: unknown } | { error: Error };

export type Message =
  | { kind: 'answer'; id: number; outcome: Outcome }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'request'; id: string | number }
  /** To be answered with an error of this code. */
  | { kind: 'mistake'; code: typeof PARSE_ERROR | typeof INVALID_REQUEST }
  /** Meant as an answer, and none: what is said about it could only be taken for another answer. */
  | { kind: 'nothing' };

export function readMessage(line: Buffer): Message {
  let said: unknown;
  try {
    said = JSON.parse(line.toString('utf8'));
  } catch {
    // The error would quote the line, and that may hold anything.
    return { kind: 'mistake', code: PARSE_ERROR };
  }
  if (!isObject(said) || said.jsonrpc !== '2.0') return { kind: 'mistake', code: INVALID_REQUEST };
  return said.method === undefined ? readAnswer(said) : readCall(said);
}

function readCall({ method, id, params }: JsonObject): Message {
  if (typeof method !== 'string') return { kind: 'mistake', code: INVALID_REQUEST };
  if (id === undefined) return { kind: 'notification', method, params };
  if (typeof id !== 'string' && typeof id !== 'number') return { kind: 'mistake', code: INVALID_REQUEST };
  return { kind: 'request', id };
}

function readAnswer(said: JsonObject): Message {
  const { id, result, error } = said;
  if (typeof id !== 'number' || Object.hasOwn(said, 'result') === Object.hasOwn(said, 'error')) {
    return { kind: 'nothing' };
  }
  if (error === undefined) return { kind: 'answer', id, outcome: { result } };
  if (!isObject(error) || typeof error.code !== 'number' || typeof error.message !== 'string') {
    return { kind: 'nothing' };
  }
  return { kind: 'answer', id, outcome: { error: new RpcError(error.code, error.message) } };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
