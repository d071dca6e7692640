/** The messages of JSON-RPC 2.0, as far as a module hears and says them. */
import { INVALID_PARAMS, MAX_LINE_BYTES } from '@chat-kernel/protocol';

export { INVALID_PARAMS };
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;
/** The first of those that JSON-RPC leaves to its users. */
export const SERVER_ERROR = -32000;

export interface Incoming {
  method: string;
  /** Absent: a notification, which nobody answers. */
  id?: string | number;
  params?: unknown;
}

/** A request that is answered with an error. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Undefined where it is an answer: a module asks nothing. @throws RpcError where it is no message */
export function readMessage(line: string): Incoming | undefined {
  const said = parse(line);
  if (typeof said !== 'object' || said === null || Array.isArray(said)) {
    throw new RpcError(INVALID_REQUEST, 'A message is an object.');
  }
  const { jsonrpc, method, id, params } = said as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw new RpcError(INVALID_REQUEST, 'A message has "jsonrpc": "2.0".');
  if (method === undefined) return undefined;
  if (typeof method !== 'string') throw new RpcError(INVALID_REQUEST, 'The method of a message is a string.');
  if (id === undefined) return { method, params };
  if (typeof id === 'string' || typeof id === 'number') return { method, id, params };
  throw new RpcError(INVALID_REQUEST, 'The id of a message is a string or a number.');
}

export const result = (id: Incoming['id'], value: object): string =>
  fitting(id, { jsonrpc: '2.0', id, result: value });

export function failure(id: Incoming['id'] | null, error: unknown): string {
  const code = error instanceof RpcError ? error.code : INTERNAL_ERROR;
  const message = error instanceof Error ? error.message : String(error);
  return line({ jsonrpc: '2.0', id, error: { code, message: message.slice(0, 10_000) } });
}

export const notification = (method: string, params: object): string =>
  line({ jsonrpc: '2.0', method, params });

function fitting(id: Incoming['id'], message: object): string {
  const text = line(message);
  if (Buffer.byteLength(text) <= MAX_LINE_BYTES) return text;
  return failure(id, new Error(`The result is larger than ${MAX_LINE_BYTES} bytes.`));
}

const line = (message: object): string => `${JSON.stringify(message)}\n`;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RpcError(PARSE_ERROR, 'A line is one JSON object.', { cause: error });
  }
}
