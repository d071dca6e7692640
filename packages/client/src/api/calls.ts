/** The types of the API's calls, out of the OpenAPI document: what that does not have does not compile. */
import type { operations, paths } from './openapi.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that know this method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];

type OperationAt<M extends Method, Path extends PathOf<M>> = paths[Path][Lowercase<M> & keyof paths[Path]];

/** The input of a call by method and path: what its operation takes, and the options. */
export type CallInput<M extends Method, Path extends PathOf<M>> = PathInput<OperationAt<M, Path>> &
  QueryInput<OperationAt<M, Path>> &
  BodyInput<OperationAt<M, Path>> &
  CallOptions;

export interface CallOptions {
  /** Aborted: the call rejects with its reason. */
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

/** The input may be left out where nothing in it is required. */
export type CallArguments<M extends Method, Path extends PathOf<M>> =
  Partial<CallInput<M, Path>> extends CallInput<M, Path>
    ? [input?: CallInput<M, Path>]
    : [input: CallInput<M, Path>];

/** The JSON of a successful response; `never` for other content types: see `KernelClient.open`. */
export type CallAnswer<M extends Method, Path extends PathOf<M>> = JsonAnswer<OperationAt<M, Path>>;

type OperationId = keyof operations;

/** The JSON of a successful response, or the whole response for other content types. */
export type AnswerOf<Id extends OperationId> = [JsonAnswer<operations[Id]>] extends [never]
  ? Response
  : JsonAnswer<operations[Id]>;

/** The JSON that an operation takes. */
export type BodyOf<Id extends OperationId> =
  BodyInput<operations[Id]> extends { body?: infer Body } ? NonNullable<Body> : never;

/** The query of an operation; its switches are booleans. */
export type QueryOf<Id extends OperationId> =
  QueryInput<operations[Id]> extends { query?: infer Query } ? WithBooleans<NonNullable<Query>> : never;

type WithBooleans<Query> = {
  [Name in keyof Query]: Query[Name] extends 'true' | 'false' | undefined ? boolean : Query[Name];
};

type JsonAnswer<O> = O extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201)]>
  : never;

type JsonOf<Reply> = Reply extends { content: { 'application/json': infer Body } } ? Body : never;

type ParametersOf<O> = O extends { parameters: infer Parameters } ? Parameters : never;

type PathInput<O> = ParametersOf<O> extends { path: infer Path extends object } ? { path: Path } : object;

type QueryInput<O> =
  ParametersOf<O> extends { query: infer Query extends object }
    ? { query: Query }
    : ParametersOf<O> extends { query?: infer Query }
      ? [Query] extends [undefined]
        ? object
        : { query?: Query }
      : object;

type BodyInput<O> = O extends { requestBody: { content: infer Content } }
  ? ContentInput<Content>
  : O extends { requestBody?: { content: infer Content } }
    ? Partial<ContentInput<Content>>
    : object;

/** A body of another type than JSON is bytes. */
type ContentInput<Content> = Content extends { 'application/json': infer Body }
  ? { body: Body }
  : { bytes: Bytes };

export type Bytes = NonNullable<RequestInit['body']>;
