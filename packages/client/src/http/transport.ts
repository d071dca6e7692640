/** Requests to the kernel over fetch: the address, the token of its proxy, and errors as errors. */
import type { Bytes } from '../api/calls.ts';
import { apiErrorOf, BrokenLine, unexpectedAnswer } from './errors.ts';

export interface KernelAddress {
  /** The address of the kernel, such as http://127.0.0.1:8787. */
  url: string;
  /** The token of a proxy before the kernel: goes as X-Service-Token (AUTH-2). */
  token?: string | undefined;
  /** Used for every request; default: the fetch of the runtime. */
  fetch?: typeof fetch | undefined;
}

/** The parts of a request, besides its method and path. */
export interface TransportInput {
  /** The query; parameters that are undefined are left out. */
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  bytes?: Bytes | undefined;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

export class Transport {
  readonly url: string;
  readonly #fetch: typeof fetch;
  readonly #token: string | undefined;

  constructor({ url, token, fetch: own }: KernelAddress) {
    // bounded: an address is short.
    this.url = url.replace(/\/+$/, '');
    this.#token = token;
    // Browsers insist that their fetch is called as a function of the window.
    this.#fetch = own ?? ((input, init) => fetch(input, init));
  }

  /** Resolves with the JSON of the answer. @throws KernelApiError, BrokenLine, or the reason of the signal */
  async json<T>(method: string, path: string, input: TransportInput = {}): Promise<T> {
    const response = await this.send(method, path, input);
    const text = await read(() => response.text(), input.signal);
    try {
      return JSON.parse(text) as T;
    } catch {
      throw unexpectedAnswer(response, text);
    }
  }

  /** Resolves with the answer, its body unread. @throws as `json` */
  async send(
    method: string,
    path: string,
    { query = {}, body, bytes, headers, signal }: TransportInput = {},
  ): Promise<Response> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      // A redirect could turn the message into another one, and bring the token to another host.
      redirect: 'manual',
      headers: { ...json, ...(this.#token && { 'x-service-token': this.#token }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes !== undefined && { body: bytes, duplex: 'half' }),
      ...(signal && { signal }),
    };
    const response = await read(() => this.#fetch(url, init), signal);
    if (response.ok) return response;
    throw await read(() => apiErrorOf(response), signal);
  }
}

/** Runtimes throw different errors where the network fails; here it is always a BrokenLine. */
async function read<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new BrokenLine('The connection to the kernel failed.', error);
  }
}
