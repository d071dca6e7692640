/** Answers failed requests with application/problem+json and a code of the catalog. */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Log } from '@chat-kernel/kernel';
import {
  HTTP_ERRORS,
  type HttpErrorCode,
  KernelError,
  type Problem,
  type ProblemPart,
} from '@chat-kernel/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

export const PROBLEM_TYPE = 'application/problem+json';
/** Seconds after which a client may retry when the kernel stops, cannot store, or its provider has failed. */
export const RETRY_AFTER_SECS = '5';
/** Maximum number of listed errors in a body: more would not help the reader. */
const MAX_PARTS = 50;

/** Sends the problem. An unexpected error is logged completely, and only its code is sent. */
export function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const problem = takeProblem(error, request, reply, log);
  return reply.code(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** Returns the problem of a request, for adapters with their own format, and prepares the reply for it. */
export function takeProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): Problem {
  const known = asKernelError(error);
  if (!known) {
    log.error({ request_id: request.id, route: request.routeOptions.url, err: error }, 'unexpected error');
  }
  const problem = toProblem(
    known ?? new KernelError('internal', 'Search the log of the kernel for this request_id.'),
    request.id,
  );
  if (!request.raw.complete) dropRest(request.raw, reply);
  if (problem.status === 502 || problem.status === 503) reply.header('retry-after', RETRY_AFTER_SECS);
  return problem;
}

/**
 * Reads and drops the rest of the body. A connection that is closed while the body is still arriving can destroy the
 * answer, so a connection that the client or the kernel wants closed is closed after both.
 */
function dropRest(request: IncomingMessage, reply: FastifyReply): void {
  const isLast = !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close';
  reply.removeHeader('connection');
  if (isLast) {
    // Without the header, Node leaves the connection open.
    reply.raw.removeHeader('connection');
    reply.raw.shouldKeepAlive = true;
    const { socket } = request;
    Promise.allSettled([finished(request), finished(reply.raw)]).then(() =>
      socket.end(() => socket.destroy()),
    );
  }
  request.resume();
}

export function toProblem(error: KernelError, requestId: string): Problem & Record<string, unknown> {
  const { status, title } = HTTP_ERRORS[error.code];
  return {
    ...error.extra,
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(error.errors && { errors: error.errors }),
    request_id: requestId,
  };
}

/** Returns the address of the code's description. */
const problemType = (code: HttpErrorCode): string => `/apidocs/errors#${code}`;

/**
 * Returns the error for a part of the request that does not match its schema.
 * @param part of Fastify: params, body, querystring or headers
 */
export function mismatch(part: string, issues: readonly z.core.$ZodIssue[]): KernelError {
  const first = issues[0];
  const sentence = first ? `${first.path.join('.') || 'It'}: ${first.message}` : 'It is invalid.';
  switch (part) {
    case 'params':
      return new KernelError('not_found', 'The path contains a malformed id.');
    case 'body':
      return new KernelError('schema_mismatch', `The body is invalid. ${sentence}`, {
        errors: toProblemParts(issues),
      });
    default:
      return new KernelError(
        first?.path[0] === 'before' ? 'malformed_cursor' : 'invalid_value',
        `${part === 'headers' ? 'Header' : 'Query'} ${sentence}`,
      );
  }
}

function toProblemParts(issues: readonly z.core.$ZodIssue[]): ProblemPart[] {
  return issues.slice(0, MAX_PARTS).map(issue => ({ pointer: pointer(issue.path), detail: issue.message }));
}

/** Returns the JSON pointer (RFC 6901); the empty one is the whole body. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Errors are recognized by their code, so that errors of other packages and of Fastify count equally. Undefined:
 * unexpected.
 */
function asKernelError(error: unknown): KernelError | undefined {
  const { code, statusCode, message } = error as Partial<FastifyError> & { message?: string };
  if (typeof code === 'string' && Object.hasOwn(HTTP_ERRORS, code)) return error as KernelError;
  if (typeof code === 'string' && Object.hasOwn(FRAMEWORK_ERRORS, code)) {
    const { as, detail } = FRAMEWORK_ERRORS[code]!;
    return new KernelError(as, detail);
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new KernelError('invalid_value', message ?? 'The request is malformed.');
  }
  return undefined;
}

const FRAMEWORK_ERRORS: Record<string, { as: HttpErrorCode; detail: string }> = {
  fenced: { as: 'kernel_away', detail: 'The chat has moved to another kernel. Try again.' },
  FST_ERR_CTP_BODY_TOO_LARGE: { as: 'body_too_large', detail: 'The JSON body is larger than 64 MiB.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    as: 'unsupported_media_type',
    detail: 'Send JSON bodies with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { as: 'not_json', detail: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    as: 'not_json',
    detail: 'The length of the body differs from Content-Length.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { as: 'not_found', detail: 'The path contains an id that is too long.' },
  FST_ERR_BAD_URL: { as: 'not_found', detail: 'The path is malformed.' },
};
