/** Builds the schema of a route for the OpenAPI generator: zod schemas in place of JSON Schema. */

import { isContent } from '@chat-kernel/http';
import { HTTP_ERRORS, type HttpErrorCode, Problem } from '@chat-kernel/protocol';
import { z } from 'zod';
import { PROBLEM_TYPE } from '../http/problems.ts';
import { needsOwner, type Route } from '../http/route.ts';

/** Codes of any request. */
const ANY: HttpErrorCode[] = ['forbidden_host', 'forbidden_origin', 'forbidden_user', 'internal'];
const WITH_BODY: HttpErrorCode[] = [
  'invalid_value',
  'body_too_large',
  'unsupported_media_type',
  'not_json',
  'schema_mismatch',
];

/** Codes of routes without a body: if a client sends one anyway, it is read and must be JSON. */
const WITHOUT_BODY: HttpErrorCode[] = [
  'invalid_value',
  'body_too_large',
  'unsupported_media_type',
  'not_json',
];

export function documentedSchema(route: Route): Record<string, unknown> {
  const { params, query, body, headers } = route.request ?? {};
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(route.rawBody && { body: z.unknown().describe(route.rawBody), consumes: ['*/*'] }),
    ...(headers && { headers }),
    response: { ...successes(route), ...problems(listErrorCodes(route)) },
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag.name],
    ...(route.open && { security: [] }),
    ...(route.hidden && { hide: true }),
  };
}

/** Returns all codes of the route, in the order of the catalog. */
function listErrorCodes(route: Route): HttpErrorCode[] {
  const { params, query, body } = route.request ?? {};
  const codes = new Set<HttpErrorCode>([
    ...ANY,
    ...(params ? (['not_found'] as const) : []),
    ...(query ? (['invalid_value'] as const) : []),
    ...(query && 'before' in query.shape ? (['malformed_cursor'] as const) : []),
    ...(body ? WITH_BODY : []),
    ...(route.rawBody ? (['unsupported_media_type'] as const) : []),
    ...(body || route.rawBody || route.method === 'GET' ? [] : WITHOUT_BODY),
    ...(asksStore(route) ? (['storage_unavailable'] as const) : []),
    ...(needsOwner(route) ? (['kernel_away'] as const) : []),
    ...(route.errors ?? []),
  ]);
  return (Object.keys(HTTP_ERRORS) as HttpErrorCode[]).filter(code => codes.has(code));
}

/** Whether a route cannot answer without the database. Routes that declare their own 503 are excluded. */
const asksStore = ({ open, request, responses }: Route): boolean =>
  !(503 in responses) && (!open || request?.params !== undefined);

function successes(route: Route): Record<string, unknown> {
  const entries = Object.entries(route.responses).map(([status, response]) => {
    if (response === null) return [status, z.null().describe('No content.')];
    const content = isContent(response) ? response : null;
    const media = { schema: content ? (content.schema ?? z.unknown()) : response };
    return [
      status,
      {
        description: content?.description ?? 'Success.',
        content: { [content?.contentType ?? 'application/json']: media },
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Returns a response for each status; its description lists the codes. */
function problems(codes: readonly HttpErrorCode[]): Record<string, unknown> {
  const byStatus = Object.groupBy(codes, code => HTTP_ERRORS[code].status);
  const entries = Object.entries(byStatus).map(([status, group = []]) => [
    status,
    {
      description: group.map(code => `\`${code}\`: ${HTTP_ERRORS[code].title}.`).join(' '),
      content: { [PROBLEM_TYPE]: { schema: Problem } },
    },
  ]);
  return Object.fromEntries(entries);
}
