/** Parses and serializes JSON-RPC messages, one per line. */
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from './errors.ts';

export type RequestId = string | number;
/** How a call ends. */
export type Outcome = { result: unknown } | { error: Error };

type MistakeCode = typeof PARSE_ERROR | typeof INVALID_REQUEST;

export type Message =
  | { kind: 'answer'; id: number; outcome: Outcome }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'request'; id: RequestId; method: string; params: unknown }
  /** Not JSON-RPC. The sentence says why, and never quotes the line, which may contain anything. */
  | { kind: 'mistake'; code: MistakeCode; sentence: string }
  /** A malformed response. It gets no error, because the peer could mistake that for a response to its own call. */
  | { kind: 'nothing' };

export function readMessage(line: Buffer): Message {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return mistake(PARSE_ERROR, 'A line is one JSON object.');
  }
  if (!isObject(value)) return mistake(INVALID_REQUEST, 'A message is an object.');
  if (value.jsonrpc !== '2.0') return mistake(INVALID_REQUEST, 'A message has "jsonrpc": "2.0".');
  return value.method === undefined ? readAnswer(value) : readCall(value);
}

function readCall({ method, id, params }: Record<string, unknown>): Message {
  if (typeof method !== 'string') {
    return mistake(INVALID_REQUEST, 'The method of a message is a string.');
  }
  if (id === undefined) return { kind: 'notification', method, params };
  if (typeof id !== 'string' && typeof id !== 'number') {
    return mistake(INVALID_REQUEST, 'The id of a message is a string or a number.');
  }
  return { kind: 'request', id, method, params };
}

function readAnswer(value: Record<string, unknown>): Message {
  const { id, result, error } = value;
  if (typeof id !== 'number' || Object.hasOwn(value, 'result') === Object.hasOwn(value, 'error')) {
    return { kind: 'nothing' };
  }
  if (error === undefined) return { kind: 'answer', id, outcome: { result } };
  if (!isObject(error) || typeof error.code !== 'number' || typeof error.message !== 'string') {
    return { kind: 'nothing' };
  }
  return { kind: 'answer', id, outcome: { error: new RpcError(error.code, error.message) } };
}

export const requestLine = (id: RequestId, method: string, params: unknown): string =>
  formatLine({ id, method, params });

export const notificationLine = (method: string, params: unknown): string => formatLine({ method, params });

export const resultLine = (id: RequestId, result: unknown): string => formatLine({ id, result });

/** @param id null: the request could not be read */
export const errorLine = (id: RequestId | null, code: number, message: string): string =>
  formatLine({ id, error: { code, message } });

const formatLine = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const mistake = (code: MistakeCode, sentence: string): Message => ({ kind: 'mistake', code, sentence });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
