/** The four ways in which a call fails. */

/** The other side answered with an error. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** No answer came in time; one that still comes is ignored. */
export class TimedOut extends Error {
  constructor(ms: number) {
    super(`no answer came within ${ms / 1000} s`);
    this.name = 'TimedOut';
  }
}

/** The connection ended before the answer came; the message says why. */
export class LinkLost extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LinkLost';
  }
}

/** The call did not leave: it is too long, or the other side does not read. */
export class NotSent extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotSent';
  }
}
