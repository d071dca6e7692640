/**
 * Defines a route as an object: method, address, schemas and handler. The server and the OpenAPI document are both
 * built from it.
 */
import type { HttpErrorCode } from '@chat-kernel/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

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

/** Argument of a handler, besides its services: the validated request, and Fastify's request and reply. */
export interface RouteCall<Request extends RequestSchemas = RequestSchemas> {
  params: Parsed<Request, 'params'>;
  query: Parsed<Request, 'query'>;
  body: Parsed<Request, 'body'>;
  headers: Parsed<Request, 'headers'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RouteFacts<
  Services,
  Request extends RequestSchemas = RequestSchemas,
  Responses extends ResponseSchemas = ResponseSchemas,
> {
  /** Unique name for generated clients: a verb and a noun. */
  operationId: string;
  summary: string;
  description?: string;
  request?: Request;
  /** Maximum number of values in the JSON body, if it differs from that of all routes. */
  maxValues?: number;
  /** Description of a body of any type, whose bytes the handler reads from `request.raw`. */
  rawBody?: string;
  /** A returned value is sent with the lowest status. */
  responses: Responses;
  /** Header of the successful response → its description. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Codes in addition to those of any route with such params, query or body. */
  errors?: readonly HttpErrorCode[];
  /**
   * Returns the id of the chat whose kernel handles the request, if several share the database; null: any kernel does.
   * Called with parameters that are not yet validated. Absent: the address names the chat.
   */
  chatOf?(call: Pick<RouteCall<Request>, 'params'> & Services): Promise<string | null>;
  /** Readable without a token, even if a proxy requires one for all other routes. */
  open?: true;
  /** Not in the document: pages for people. */
  hidden?: true;
  /** Returns the body, or the reply if the handler sends the response itself. */
  handler(
    call: RouteCall<Request> & Services,
  ): ResponseBody<Responses> | FastifyReply | Promise<ResponseBody<Responses> | FastifyReply>;
}
interface RouteDefinition<
  Services,
  Request extends RequestSchemas = RequestSchemas,
  Responses extends ResponseSchemas = ResponseSchemas,
> extends RouteFacts<Services, Request, Responses> {
  method: Method;
  /** Path in Fastify's notation: /v1/chats/:id. */
  url: string;
  tag: RouteTag;
}
/** A route without the types of its schemas, for lists. @template Services the type that its handler needs */
export type RouteOf<Services> = RouteDefinition<Services>;

/**
 * Returns the function that defines the routes of one group, whose handlers use these services, with method and path
 * together: `GET /v1/chats/:id`.
 */
export const routesTagged =
  <Services>(tag: RouteTag) =>
  <const Request extends RequestSchemas, const Responses extends ResponseSchemas>(
    address: `${Method} ${string}`,
    facts: RouteFacts<Services, Request, Responses>,
  ): RouteOf<Services> => {
    const [method, url] = address.split(' ');
    // The cast is safe: a handler is only called with values that the schemas of its route have parsed.
    return { ...facts, method, url, tag } as unknown as RouteOf<Services>;
  };

export const isContent = (response: z.ZodType | ContentResponse): response is ContentResponse =>
  'contentType' in response;

/** Returns the lowest status that the route declares. */
export const successStatus = (route: Pick<RouteDefinition<never>, 'responses'>): number =>
  Math.min(...Object.keys(route.responses).map(Number));
