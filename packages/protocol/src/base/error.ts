/**
 * Defines the catalog of errors: those of HTTP answers, and those of turns that fail after their stream has opened.
 */
import { z } from 'zod';
import { Resolution } from './resolution.ts';
import { UndoneFile } from './undone-file.ts';

/**
 * Code → its facts. `retryable`: the same request may succeed later, because the kernel is busy, is stopping or is
 * unreachable. A failed provider is not retryable: the kernel has already retried it, and each attempt costs. The title
 * is always the same; the `detail` of a problem describes the specific error.
 */
export const HTTP_ERRORS = {
  malformed_cursor: { status: 400, retryable: false, title: 'Malformed cursor' },
  unknown_cursor: { status: 400, retryable: false, title: 'Unknown cursor' },
  invalid_value: { status: 400, retryable: false, title: 'Invalid value' },
  tool_name_taken: {
    status: 400,
    retryable: false,
    title: 'Tool name already in use',
  },
  unknown_file: { status: 400, retryable: false, title: 'File not found' },
  unknown_model: { status: 400, retryable: false, title: 'Model not found' },
  empty_message: { status: 400, retryable: false, title: 'Empty message' },
  spend_cap: { status: 402, retryable: false, title: 'Spending limit reached' },
  forbidden_origin: { status: 403, retryable: false, title: 'Origin not allowed' },
  forbidden_host: { status: 403, retryable: false, title: 'Host name not allowed' },
  forbidden_user: { status: 403, retryable: false, title: 'User not allowed' },
  forbidden_path: { status: 403, retryable: false, title: 'Path not allowed' },
  not_found: { status: 404, retryable: false, title: 'Not found' },
  unknown_request: { status: 404, retryable: false, title: 'Request not found' },
  turn_running: { status: 409, retryable: false, title: 'A turn is running in this chat' },
  already_resolved: { status: 409, retryable: false, title: 'Request already resolved' },
  name_taken: { status: 409, retryable: false, title: 'Machine name already in use' },
  too_many_machines: { status: 409, retryable: false, title: 'Too many machines' },
  no_client: { status: 409, retryable: false, title: 'No client is connected to this chat' },
  not_a_member: { status: 409, retryable: false, title: 'Chat is not a member' },
  files_changed: { status: 409, retryable: false, title: 'Files have changed' },
  files_stuck: { status: 409, retryable: false, title: 'Files cannot be restored' },
  module_down: { status: 409, retryable: false, title: 'Module not running' },
  idempotency_mismatch: {
    status: 409,
    retryable: false,
    title: 'Idempotency key already used',
  },
  body_too_large: { status: 413, retryable: false, title: 'Body too large' },
  unsupported_media_type: { status: 415, retryable: false, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, retryable: false, title: 'Range not satisfiable' },
  not_json: { status: 422, retryable: false, title: 'Body is not valid JSON' },
  schema_mismatch: { status: 422, retryable: false, title: 'Body does not match the schema' },
  internal: { status: 500, retryable: false, title: 'Internal error' },
  sign_in_failed: { status: 502, retryable: false, title: 'Sign-in to the MCP server failed' },
  upstream_error: { status: 502, retryable: false, title: 'Model provider error' },
  shutting_down: { status: 503, retryable: true, title: 'The kernel is shutting down' },
  too_busy: { status: 503, retryable: true, title: 'Too many concurrent requests' },
  kernel_away: { status: 503, retryable: true, title: 'The kernel that owns this chat is unreachable' },
  storage_unavailable: { status: 503, retryable: true, title: 'Storage unavailable' },
} as const satisfies Record<string, { status: number; retryable: boolean; title: string }>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;
export const HttpErrorCode = z
  .enum(Object.keys(HTTP_ERRORS) as [HttpErrorCode])
  .meta({ id: 'ErrorCode', description: 'Stable. New codes may be added.' });

/** Code of the SSE `error` event → its meaning. */
export const TURN_ERRORS = {
  upstream_error: 'Model provider error',
  upstream_rate_limited: 'Rate limit of the model provider reached',
  upstream_auth: 'The model provider rejected the API key',
  context_overflow: 'The conversation exceeds the context window of the model',
  no_model: 'No model available',
  blocked_by_module: 'Blocked by a module',
  spend_cap: 'Spending limit reached',
  step_limit: 'The turn reached the step limit',
  repeated_call: 'The model repeated the same rejected call in three consecutive steps',
  kernel_restarted: 'The kernel stopped during the turn',
  storage_unavailable: 'The turn could not be stored',
  internal: 'Internal error',
} as const;

export type TurnErrorCode = keyof typeof TURN_ERRORS;
export const TurnErrorCode = z
  .enum(Object.keys(TURN_ERRORS) as [TurnErrorCode])
  .meta({ id: 'TurnErrorCode' });

/** The body of every HTTP error: application/problem+json (RFC 9457). */
export const Problem = z
  .object({
    type: z.string().describe('URL of the description of the code.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('The reason for this occurrence.'),
    code: HttpErrorCode,
    errors: z
      .array(z.object({ pointer: z.string().describe('JSON pointer into the body.'), detail: z.string() }))
      .optional(),
    resolution: Resolution.optional().describe('With already_resolved: how the request ended.'),
    files: z
      .array(UndoneFile)
      .optional()
      .describe('With files_changed and files_stuck: all files that the rewind would restore.'),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
export type ProblemPart = NonNullable<Problem['errors']>[number];

/**
 * A request that cannot be fulfilled. Any layer below HTTP throws it; the HTTP layer answers it as a Problem. Other
 * packages distinguish such errors by `code`, never by instanceof.
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

/** The refusal of a value in the body of a request. @param pointer its position there */
export const invalidValue = (
  pointer: string,
  detail: string,
  code: HttpErrorCode = 'invalid_value',
): KernelError => new KernelError(code, detail, { errors: [{ pointer, detail }] });
