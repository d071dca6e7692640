/** A route as an object: method, address, schemas and handler. Server and OpenAPI document both follow from it. */
import type { Kernel, Log } from '@chat-kernel/kernel';
import type { HttpErrorCode, Settings } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Metrics } from '../metrics/metrics.ts';

/** What every handler can use. */
export interface AppParts {
  kernel: Kernel;
  settings: Settings;
  log: Log;
  metrics: Metrics;
  version: string;
}

/** A group of operations in the API document. Routes of one group share one object. */
export interface RouteTag {
  name: string;
  /** What the operations are about. */
  description: string;
}

/** An answer that is no JSON: its media type, and the schema of one piece of it. */
export interface ContentResponse {
  contentType: string;
  description: string;
  /** Of each event of a stream; absent for bytes and pages. */
  schema?: z.ZodType;
  /** One that fits the schema. */
  example?: object;
}
export interface RequestSchemas {
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Has a `.meta({ id })`. */
  body?: z.ZodType;
  headers?: z.ZodObject;
}
/** By status. A schema means JSON; null means no body. */
export type ResponseSchemas = Readonly<Record<number, z.ZodType | ContentResponse | null>>;

type Parsed<
  Request extends RequestSchemas,
  Part extends keyof RequestSchemas,
> = Request[Part] extends z.ZodType ? z.output<Request[Part]> : undefined;
type AnswerOf<Response> = Response extends z.ZodType ? z.output<Response> : unknown;
type Answer<Responses extends ResponseSchemas> = AnswerOf<Responses[keyof Responses & (200 | 201)]>;

/** One request to one route: what was sent, checked; what the kernel offers; and Fastify's own two for what is special. */
export interface Call<Request extends RequestSchemas = RequestSchemas> extends AppParts {
  params: Parsed<Request, 'params'>;
  query: Parsed<Request, 'query'>;
  body: Parsed<Request, 'body'>;
  headers: Parsed<Request, 'headers'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface RouteDefinition<Request extends RequestSchemas, Responses extends ResponseSchemas> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fastify's way of writing: /v1/chats/:id. */
  url: string;
  /** A name for generated clients, unique: a verb and a noun. */
  operationId: string;
  summary: string;
  description?: string;
  tag: RouteTag;
  request?: Request;
  /** The body is bytes of any type, which the handler itself reads from `request.raw`; what they are. */
  rawBody?: string;
  /** The lowest status is the one that a returned value is sent with. */
  responses: Responses;
  /** Response headers of the successful answer → what they say. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Codes besides those that come with having params, a query or a body. */
  errors?: readonly HttpErrorCode[];
  /** To be read without a token, also where a proxy asks for one everywhere else. */
  open?: true;
  /** Not in the document: pages for people. */
  hidden?: true;
  /** Returns the body; or the reply itself where it has taken the answer into its own hands. */
  handler(call: Call<Request>): Answer<Responses> | FastifyReply | Promise<Answer<Responses> | FastifyReply>;
}
/** Any route, its types forgotten: what lists hold. */
export type Route = RouteDefinition<RequestSchemas, ResponseSchemas>;

export function defineRoute<const Request extends RequestSchemas, const Responses extends ResponseSchemas>(
  route: RouteDefinition<Request, Responses>,
): Route {
  // The handler is only ever called with what the route's own schemas have parsed.
  return route as unknown as Route;
}

export const isContent = (response: z.ZodType | ContentResponse): response is ContentResponse =>
  'contentType' in response;

/** The status of a plain success: the lowest one that the route declares. */
export const successStatus = (route: Route): number => Math.min(...Object.keys(route.responses).map(Number));
