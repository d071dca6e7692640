/** The calls of the API by method and path, typed by the OpenAPI document: where that changes, this no longer compiles. */
import type { paths } from './openapi.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that know this method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];

type Operation<M extends Method, Path extends PathOf<M>> = paths[Path][Lowercase<M> & keyof paths[Path]];

/** What goes with a call: the parts that its operation has, and a signal that gives it up. */
export type Asked<M extends Method, Path extends PathOf<M>> = PathPart<Operation<M, Path>> &
  QueryPart<Operation<M, Path>> &
  BodyPart<Operation<M, Path>> &
  CallOptions & {
    headers?: Record<string, string>;
  };

export interface CallOptions {
  /** Aborted: the call rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/** May be left out where nothing in it is needed. */
export type AskedArguments<M extends Method, Path extends PathOf<M>> =
  Partial<Asked<M, Path>> extends Asked<M, Path> ? [asked?: Asked<M, Path>] : [asked: Asked<M, Path>];

/** The JSON of a success; `never` where the answer is none: see `KernelClient.open`. */
export type Answer<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { responses: infer Responses }
    ? JsonOf<Responses[keyof Responses & (200 | 201)]>
    : never;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

type ParametersOf<O> = O extends { parameters: infer Parameters } ? Parameters : never;

type PathPart<O> = ParametersOf<O> extends { path: infer Path extends object } ? { path: Path } : object;

type QueryPart<O> =
  ParametersOf<O> extends { query: infer Query extends object }
    ? { query: Query }
    : ParametersOf<O> extends { query?: infer Query }
      ? [Query] extends [undefined]
        ? object
        : { query?: Query }
      : object;

/** Bodies that are no JSON are bytes. */
type BodyPart<O> = O extends { requestBody: { content: infer Content } }
  ? ContentPart<Content>
  : O extends { requestBody?: { content: infer Content } }
    ? Partial<ContentPart<Content>>
    : object;
type ContentPart<Content> = Content extends { 'application/json': infer Body }
  ? { body: Body }
  : { bytes: Bytes };

export type Bytes = NonNullable<RequestInit['body']>;

/** A path with its parameters filled in; ids come from outside. */
export const filled = (path: string, parts: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new TypeError(`${path} needs ${whole}.`);
    // An address leaves these out, however they are written: another resource would be meant.
    if (['', '.', '..'].includes(part)) throw new TypeError(`"${part}" is nothing for ${whole} in ${path}.`);
    return encodeURIComponent(part);
  });
