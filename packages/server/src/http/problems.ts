/** Failures of requests: each is answered as application/problem+json with a code of the catalogue. */
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
/** Seconds after which a kernel may be asked again that stops, or cannot store, or whose provider failed. */
export const RETRY_AFTER_SECS = '5';
/** Faults of a body that are listed: more would not help the reader. */
const MOST_PARTS = 50;

/** Sends the problem. An unexpected error is logged whole and shown as nothing but its code. */
export function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const problem = takeProblem(error, request, reply, log);
  return reply.code(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** Returns the problem of a request, for whoever answers it in words of their own, and readies the reply for it. */
export function takeProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): Problem {
  const known = asKernelError(error);
  if (!known) {
    log.error({ request_id: request.id, route: request.routeOptions.url, err: error }, 'unexpected error');
  }
  const problem = problemOf(
    known ?? new KernelError('internal', 'The log says more under this request_id.'),
    request.id,
  );
  if (!request.raw.complete) {
    // Fastify would close the connection; where the body is still on its way, the close can destroy the answer. The
    // rest of
    // the body is read and dropped instead.
    reply.removeHeader('connection');
    request.raw.resume();
  }
  if (problem.status === 502 || problem.status === 503) reply.header('retry-after', RETRY_AFTER_SECS);
  return problem;
}

export function problemOf(error: KernelError, requestId: string): Problem & Record<string, unknown> {
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
 * Returns the error for a part of the request that does not fit its schema.
 * @param part of Fastify: params, body, querystring or headers
 */
export function mismatch(part: string, issues: readonly z.core.$ZodIssue[]): KernelError {
  const first = issues[0];
  const sentence = first ? `${first.path.join('.') || 'It'}: ${first.message}` : 'It does not fit.';
  switch (part) {
    case 'params':
      return new KernelError('not_found', 'The address holds an id that no resource can have.');
    case 'body':
      return new KernelError('schema_mismatch', `The body does not fit. ${sentence}`, {
        errors: partsOf(issues),
      });
    default:
      return new KernelError(
        first?.path[0] === 'before' ? 'malformed_cursor' : 'invalid_value',
        `${part === 'headers' ? 'Header' : 'Query'} ${sentence}`,
      );
  }
}

function partsOf(issues: readonly z.core.$ZodIssue[]): ProblemPart[] {
  return issues.slice(0, MOST_PARTS).map(issue => ({ pointer: pointer(issue.path), detail: issue.message }));
}

/** Returns the JSON pointer (RFC 6901); the empty one is the whole body. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Errors are known by their code, so that those of other packages and of Fastify count alike. Undefined: unexpected.
 */
function asKernelError(error: unknown): KernelError | undefined {
  const { code, statusCode, message } = error as Partial<FastifyError> & { message?: string };
  if (typeof code === 'string' && Object.hasOwn(HTTP_ERRORS, code)) return error as KernelError;
  if (typeof code === 'string' && Object.hasOwn(FRAMEWORK_ERRORS, code)) {
    const { as, detail } = FRAMEWORK_ERRORS[code]!;
    return new KernelError(as, detail);
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new KernelError('invalid_value', message ?? 'The request cannot be read.');
  }
  return undefined;
}

const FRAMEWORK_ERRORS: Record<string, { as: HttpErrorCode; detail: string }> = {
  fenced: { as: 'kernel_away', detail: 'The chat has another owner by now: try again.' },
  FST_ERR_CTP_BODY_TOO_LARGE: { as: 'body_too_large', detail: 'A JSON body may have 64 MiB.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    as: 'unsupported_media_type',
    detail: 'A JSON body needs the header Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { as: 'not_json', detail: 'The body cannot be read as JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    as: 'not_json',
    detail: 'The body is not as long as its header says.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { as: 'not_found', detail: 'The address holds an id that is too long.' },
  FST_ERR_BAD_URL: { as: 'not_found', detail: 'The address cannot be read.' },
};
