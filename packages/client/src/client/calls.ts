/** Calls by method and path, and what the named calls are made of. */
import type { CallInput, CallOptions, Method } from '../api/calls.ts';
import { type KernelAddress, Transport } from '../http/transport.ts';

/** A named call: its arguments in the order of the operation, the options last. */
export type Call<Arguments extends readonly unknown[], Answer> = (
  ...given: [...Arguments, options?: CallOptions]
) => Promise<Answer>;

export class Calls {
  readonly #http: Transport;

  constructor(address: KernelAddress) {
    this.#http = new Transport(address);
  }

  get url(): string {
    return this.#http.url;
  }

  /**
   * Makes a call that returns JSON, for operations that are not methods: `request('GET', '/v1/chats/{id}', { path: { id } })`.
   */
  request<Answer>(
    method: Method,
    path: string,
    { path: parameters, ...sent }: CallInput = {},
  ): Promise<Answer> {
    return this.#http.json(method, fillPath(path, parameters), sent);
  }

  /**
   * Makes a call that returns anything else, such as the bytes of a file; the body is unread. Errors are thrown here
   * too.
   */
  open(method: Method, path: string, { path: parameters, ...sent }: CallInput = {}): Promise<Response> {
    return this.#http.send(method, fillPath(path, parameters), sent);
  }

  /**
   * Returns the call of an operation that answers JSON.
   * @param operation method, path and the other inputs, such as `POST /v1/chats/{id}/fork body`
   */
  protected json<Arguments extends readonly unknown[], Answer>(operation: string): Call<Arguments, Answer> {
    return (...given) => this.request<Answer>(...toRequest(operation, given));
  }

  /** Returns the call of an operation that answers anything else. */
  protected raw<Arguments extends readonly unknown[]>(operation: string): Call<Arguments, Response> {
    return (...given) => this.open(...toRequest(operation, given));
  }
}

function toRequest(operation: string, given: readonly unknown[]): [Method, string, CallInput] {
  const [method = '', path = '', ...sent] = operation.split(' ');
  const left = [...given];
  const take = (names: readonly string[], absent?: object) =>
    Object.fromEntries(names.map(name => [name, left.shift() ?? absent]));
  // bounded: paths of the API.
  const parameters = take(path.match(/(?<=\{)\w+/g) ?? []) as Record<string, string>;
  const input = take(sent, {});
  return [method as Method, path, { path: parameters, ...input, ...(left[0] as CallOptions | undefined) }];
}

/**
 * Returns the path with its parameters filled in.
 * @throws TypeError for a parameter that is missing or not a valid path segment
 */
const fillPath = (path: string, parameters: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new TypeError(`${path} needs ${placeholder}.`);
    const text = String(value);
    // A URL drops these segments, even if they are encoded: the call would reach another resource.
    if (['', '.', '..'].includes(text))
      throw new TypeError(`"${text}" is nothing for ${placeholder} in ${path}.`);
    return encodeURIComponent(text);
  });
