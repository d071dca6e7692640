/** The error codes of JSON-RPC 2.0, and the four ways in which a call fails. */

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** The first code that JSON-RPC leaves to applications. */
export const SERVER_ERROR = -32000;

/** Code → the message of the specification, which has no details about the malformed line. */
export const STANDARD_MESSAGES = {
  [PARSE_ERROR]: 'Parse error',
  [INVALID_REQUEST]: 'Invalid Request',
  [METHOD_NOT_FOUND]: 'Method not found',
} as const;

/** An error response to a request: received by the caller, or thrown by a handler. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** No response arrived in time. A later response is ignored. */
export class TimedOut extends Error {
  constructor(ms: number) {
    super(`no answer came within ${ms / 1000} s`);
    this.name = 'TimedOut';
  }
}

/** The connection ended before the response arrived. The message says why. */
export class PeerDisconnectedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ConnectionLost';
  }
}

/** The call was not sent: it is too long, or the peer does not read. */
export class NotSent extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotSent';
  }
}
