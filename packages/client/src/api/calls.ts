/** The inputs of a call by method and path, and the options of every call. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Bytes = NonNullable<RequestInit['body']>;

export interface CallOptions {
  /** Aborted: the call rejects with its reason. */
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

export interface CallInput extends CallOptions {
  /** The parameters of the path, such as `{ id }` for `/v1/chats/{id}`. */
  path?: Readonly<Record<string, string>> | undefined;
  /** Undefined parameters are omitted. */
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  bytes?: Bytes | undefined;
}
