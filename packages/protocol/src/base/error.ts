/** The catalogue of errors: those of HTTP answers, and those of turns that fail after their stream has opened. */
import { z } from 'zod';
import { Resolution } from './resolution.ts';
import { UndoneFile } from './undone-file.ts';

/** Code → status and title. The title is always the same; the `detail` of a problem says what was wrong this time. */
export const HTTP_ERRORS = {
  malformed_cursor: { status: 400, title: 'The cursor is not one that this API hands out' },
  unknown_cursor: { status: 400, title: 'The cursor points at nothing in this list' },
  invalid_value: { status: 400, title: 'A value is not allowed here' },
  tool_name_taken: { status: 400, title: 'An extra tool has the name of a tool that exists' },
  unknown_file: { status: 400, title: 'No file has this id' },
  unknown_model: { status: 400, title: 'No model has this id' },
  empty_message: { status: 400, title: 'The message has no text, no image and no file' },
  spend_cap: { status: 402, title: 'A cap on spending is reached' },
  forbidden_origin: { status: 403, title: 'Pages of this origin may not use the kernel' },
  forbidden_host: { status: 403, title: 'The kernel does not answer under this host name' },
  forbidden_path: { status: 403, title: 'This path is out of reach' },
  not_found: { status: 404, title: 'Nothing is here' },
  unknown_request: { status: 404, title: 'No request has this id' },
  turn_running: { status: 409, title: 'A turn of this chat is running' },
  already_resolved: { status: 409, title: 'The request is resolved already' },
  name_taken: { status: 409, title: 'Another machine has this name' },
  no_client: { status: 409, title: 'No client with hands has a turn open in this chat' },
  not_a_member: { status: 409, title: 'This chat does not take part' },
  files_changed: { status: 409, title: 'Files were changed since' },
  files_stuck: { status: 409, title: 'Files cannot be put back now' },
  module_down: { status: 409, title: 'The module is not running' },
  idempotency_mismatch: { status: 409, title: 'The idempotency key was used for another request' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'A body of this type is not taken here' },
  range_not_satisfiable: { status: 416, title: 'The file has no bytes in this range' },
  not_json: { status: 422, title: 'The body is not JSON' },
  schema_mismatch: { status: 422, title: 'The body does not fit the schema' },
  internal: { status: 500, title: 'The kernel made a mistake' },
  sign_in_failed: { status: 502, title: 'The tool server lets nobody sign in' },
  upstream_error: { status: 502, title: 'The model provider failed' },
  shutting_down: { status: 503, title: 'The kernel is shutting down' },
  too_busy: { status: 503, title: 'Too much of this runs already' },
  kernel_away: { status: 503, title: 'The kernel that has this chat cannot be reached' },
  storage_unavailable: { status: 503, title: 'The kernel cannot store anything now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;
export const HttpErrorCode = z
  .enum(Object.keys(HTTP_ERRORS) as [HttpErrorCode])
  .meta({ id: 'ErrorCode', description: 'Stable. New codes may be added.' });

/** Code of the SSE `error` event → its meaning. */
export const TURN_ERRORS = {
  upstream_error: 'The model provider failed',
  upstream_rate_limited: 'The model provider refuses further requests for now',
  upstream_auth: 'The model provider does not accept the key',
  context_overflow: 'The conversation is longer than the model takes',
  no_model: 'No model can be used',
  blocked_by_module: 'A module blocked the turn',
  spend_cap: 'A cap on spending is reached',
  step_limit: 'The turn took more steps than allowed',
  repeated_call: 'The model made the same refused call in three steps in a row',
  kernel_restarted: 'The kernel stopped during the turn',
  storage_unavailable: 'The turn could not be stored',
  internal: 'The kernel made a mistake',
} as const;

export type TurnErrorCode = keyof typeof TURN_ERRORS;
export const TurnErrorCode = z
  .enum(Object.keys(TURN_ERRORS) as [TurnErrorCode])
  .meta({ id: 'TurnErrorCode' });

/** The body of every HTTP error: application/problem+json (RFC 9457). */
export const Problem = z
  .object({
    type: z.string().describe('Address of the description of the code.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What was wrong this time.'),
    code: HttpErrorCode,
    errors: z
      .array(z.object({ pointer: z.string().describe('JSON pointer into the body.'), detail: z.string() }))
      .optional(),
    resolution: Resolution.optional().describe('With already_resolved: how the request ended.'),
    files: z
      .array(UndoneFile)
      .optional()
      .describe('With files_changed and files_stuck: all files that were to be put back.'),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
export type ProblemPart = NonNullable<Problem['errors']>[number];

/**
 * A request that cannot be fulfilled. Any layer below HTTP throws it; the HTTP layer answers it as a Problem.
 * Other packages tell such errors apart by `code`, never by instanceof.
 */
export class KernelError extends Error {
  readonly code: HttpErrorCode;
  readonly errors: ProblemPart[] | undefined;
  /** Further members of the problem (RFC 9457 extensions), such as the resolution of a 409. */
  readonly extra: Record<string, unknown> | undefined;

  constructor(
    code: HttpErrorCode,
    detail: string,
    more: { errors?: ProblemPart[]; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'KernelError';
    this.code = code;
    this.errors = more.errors;
    this.extra = more.extra;
  }
}
