/** A route as an object: method, address, schemas and handler. Server and OpenAPI document both follow from it. */
import type { Kernel, Log } from '@chat-kernel/kernel';
import type { HttpErrorCode, Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import type { z } from 'zod';
import type { LoopWatch } from '../metrics/loop-watch.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WebClient } from '../web/web-client.ts';

/** Services of the application; a handler takes those that it uses. */
export interface AppServices {
  kernel: Kernel;
  settings: Settings;
  log: Log;
  metrics: Metrics;
  loop: LoopWatch;
  version: string;
  web: WebClient;
  /** Undefined for a kernel that has its database for itself. */
  others?: OtherKernels | undefined;
}

/** Called with the bytes of a request before they are read; it hands on those to be read. */
export type BodyHook = preParsingAsyncHookHandler;

/** The other kernels on the same database. */
export interface OtherKernels {
  /** The id of this kernel among them, which each answer names. */
  readonly id: string;
  /** Whether a request says that it comes from one of them, and does not, or is meant for another one. */
  isAstray(request: FastifyRequest): boolean;
  /** Sends requests to the owner of their chat; undefined for a route that needs none. */
  hookOf(app: FastifyInstance, route: Route): BodyHook | undefined;
  /** Whether one of them asks. */
  isOfKernel(request: FastifyRequest): boolean;
  /** The id of the one that asks; undefined: somebody else does. */
  callerOf(request: FastifyRequest): string | undefined;
  /** Asks all of them; those that do not answer are left out. @param path of a GET with an answer in JSON */
  askAll<Answer>(path: string): Promise<Answer[]>;
}

/** A group of operations in the API document. Routes of one group share one object. */
export interface RouteTag {
  name: string;
  /** Subject of the operations. */
  description: string;
}

/** A response that is not JSON. */
export interface ContentResponse {
  contentType: string;
  description: string;
  /** Schema of each event of a stream; absent for bytes and pages. */
  schema?: z.ZodType;
  /** An event that fits the schema. */
  example?: object;
}
interface RequestSchemas {
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Schema with a `.meta({ id })`: the document refers to it by this name. */
  body?: z.ZodType;
  headers?: z.ZodObject;
}
/** Status → response. A schema means JSON; null means no body. */
type ResponseSchemas = Readonly<Record<number, z.ZodType | ContentResponse | null>>;

type Parsed<
  Request extends RequestSchemas,
  Part extends keyof RequestSchemas,
> = Request[Part] extends z.ZodType ? z.output<Request[Part]> : undefined;
type BodyOf<Response> = Response extends z.ZodType ? z.output<Response> : unknown;
type ResponseBody<Responses extends ResponseSchemas> = BodyOf<Responses[keyof Responses & (200 | 201)]>;

/** Argument of a handler: the checked request, the services, and Fastify's request and reply for what is special. */
export interface RouteCall<Request extends RequestSchemas = RequestSchemas> extends AppServices {
  params: Parsed<Request, 'params'>;
  query: Parsed<Request, 'query'>;
  body: Parsed<Request, 'body'>;
  headers: Parsed<Request, 'headers'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface RouteDefinition<Request extends RequestSchemas, Responses extends ResponseSchemas> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path in Fastify's notation: /v1/chats/:id. */
  url: string;
  /** Unique name for generated clients: a verb and a noun. */
  operationId: string;
  summary: string;
  description?: string;
  tag: RouteTag;
  request?: Request;
  /** Description of a body of any type, whose bytes the handler reads from `request.raw`. */
  rawBody?: string;
  /** A returned value is sent with the lowest status. */
  responses: Responses;
  /** Header of the successful response → its description. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Codes besides those that any route with such params, query or body has. */
  errors?: readonly HttpErrorCode[];
  /** Readable without a token, also where a proxy asks for one everywhere else. */
  open?: true;
  /** Absent from the document: pages for people. */
  hidden?: true;
  /** Returns the body, or the reply where the handler sends the response itself. */
  handler(
    call: RouteCall<Request>,
  ): ResponseBody<Responses> | FastifyReply | Promise<ResponseBody<Responses> | FastifyReply>;
}
/** Any route without its types, as lists hold it. */
export type Route = RouteDefinition<RequestSchemas, ResponseSchemas>;

export function defineRoute<const Request extends RequestSchemas, const Responses extends ResponseSchemas>(
  route: RouteDefinition<Request, Responses>,
): Route {
  // The cast is safe: a handler is called with nothing but what the schemas of its route have parsed.
  return route as unknown as Route;
}

export const isContent = (response: z.ZodType | ContentResponse): response is ContentResponse =>
  'contentType' in response;

/** Returns the lowest status that the route declares. */
export const successStatus = (route: Route): number => Math.min(...Object.keys(route.responses).map(Number));

const OF_CHAT = '/v1/chats/:id';

/**
 * Whether a route needs the owner of its chat, where several kernels share the database: history and lists are read
 * anywhere; what changes a chat, or follows its turns, is not (FLEET-1).
 */
export function needsOwner({ url, method, responses }: Route): boolean {
  const follows = Object.values(responses).some(
    response => response !== null && isContent(response) && response.contentType === 'text/event-stream',
  );
  return (url === OF_CHAT || url.startsWith(`${OF_CHAT}/`)) && (method !== 'GET' || follows);
}
