/** Describes a route as an operation of the OpenAPI document. */
import { isContent, successStatus } from '@chat-kernel/http';
import { HTTP_ERRORS, type HttpErrorCode, Problem } from '@chat-kernel/protocol';
import { z } from 'zod';
import { PROBLEM_TYPE } from '../http/problems.ts';
import { needsOwner, type Route } from '../http/route.ts';
import type { DocumentSchemas, Json } from './schemas.ts';

/** Codes of any request. */
const ANY: HttpErrorCode[] = ['forbidden_host', 'forbidden_origin', 'forbidden_user', 'internal'];
/** Codes of routes without a body: if a client sends one anyway, it is read and must be JSON. */
const WITHOUT_BODY: HttpErrorCode[] = [
  'invalid_value',
  'body_too_large',
  'unsupported_media_type',
  'not_json',
];
const WITH_BODY: HttpErrorCode[] = [...WITHOUT_BODY, 'schema_mismatch'];
const ANYTHING = z.unknown();

/** Returns all schemas of a route that `describeOperation` asks for. */
export function schemasOf({ request, responses }: Route): z.ZodType[] {
  const { params, query, body, headers } = request ?? {};
  const answers = Object.values(responses).map(response =>
    response !== null && isContent(response) ? response.schema : response,
  );
  return [ANYTHING, Problem, params, query, body, headers, ...answers].filter(schema => schema != null);
}

export function describeOperation(route: Route, schemas: DocumentSchemas): Json {
  const { operationId, summary, tag, description, request, open } = route;
  const parameters = [
    ...parametersOf('query', request?.query, schemas),
    ...parametersOf('path', request?.params, schemas),
    ...parametersOf('header', request?.headers, schemas),
  ];
  const requestBody = bodyOf(route, schemas);
  return {
    operationId,
    summary,
    tags: [tag.name],
    ...(description && { description }),
    ...(requestBody && { requestBody }),
    ...(parameters.length > 0 && { parameters }),
    ...(open && { security: [] }),
    responses: responsesOf(route, schemas),
  };
}

function parametersOf(place: string, schema: z.ZodType | undefined, schemas: DocumentSchemas): Json[] {
  if (schema === undefined) return [];
  const { properties, required = [] } = schemas.sent(schema) as { properties: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Json;
    const isRequired = place === 'path' || required.includes(name);
    return {
      schema: rest,
      in: place,
      name,
      required: isRequired,
      ...(description != null && { description }),
    };
  });
}

/** A POST without a schema accepts and ignores a body: many clients send `{}` or null with every POST. */
function bodyOf({ method, request, rawBody }: Route, schemas: DocumentSchemas): Json | undefined {
  if (rawBody)
    return {
      required: true,
      content: { '*/*': { schema: { ...schemas.sent(ANYTHING), description: rawBody } } },
      description: rawBody,
    };
  const body = request?.body;
  if (body)
    return {
      required: !body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemas.sent(body) } },
    };
  if (method !== 'POST') return undefined;
  return {
    description: 'Optional. The kernel ignores it.',
    required: false,
    content: { 'application/json': { schema: {} } },
  };
}

/** Returns a response for each status; the description of an error lists the codes. */
function responsesOf(route: Route, schemas: DocumentSchemas): Json {
  const errors = Object.groupBy(errorCodesOf(route), code => HTTP_ERRORS[code].status);
  const problems = Object.entries(errors).map(([status, codes = []]): [string, Json] => [
    status,
    {
      description: codes.map(code => `\`${code}\`: ${HTTP_ERRORS[code].title}.`).join(' '),
      content: { [PROBLEM_TYPE]: { schema: schemas.answered(Problem) } },
    },
  ]);
  const successes = Object.entries(route.responses).map(([status, response]): [string, Json] => {
    if (response === null) return [status, { description: 'No content.' }];
    const { description, contentType, example, schema } = isContent(response)
      ? response
      : { schema: response };
    const media = {
      schema: schemas.answered(schema ?? ANYTHING),
      ...(example !== undefined && { example }),
    };
    return [
      status,
      { description: description ?? 'Success.', content: { [contentType ?? 'application/json']: media } },
    ];
  });
  const all = Object.entries(Object.fromEntries([...successes, ...problems]));
  return Object.fromEntries(
    all.map(([status, response]) => [status, { ...response, headers: headersOf(route, Number(status)) }]),
  );
}

function headersOf(route: Route, status: number): Json {
  const headers = {
    'X-Request-Id': 'The id of this request in the log.',
    ...(status === successStatus(route) && route.responseHeaders),
    ...(route.request?.body && status < 300 && { 'X-Ignored-Fields': 'JSON pointers of ignored fields.' }),
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** Returns all codes of the route, in the order of the catalog. */
function errorCodesOf(route: Route): HttpErrorCode[] {
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
