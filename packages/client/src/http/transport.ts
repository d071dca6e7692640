/**
 * Sends requests to the kernel with fetch: adds the address and the token of its proxy, and turns error responses into
 * errors.
 */
import type { CallInput } from '../api/calls.ts';
import { ConnectionError, parseApiError, unexpectedAnswer } from './errors.ts';

export interface KernelAddress {
  /** The address of the kernel, such as http://127.0.0.1:8787. */
  url: string;
  /** The token of a proxy in front of the kernel, sent as X-Service-Token (AUTH-2). */
  token?: string | undefined;
  /** The fetch function of all requests; default: that of the runtime. */
  fetch?: typeof fetch | undefined;
}

/** The parts of a request, besides its method and path. */
export type TransportInput = Omit<CallInput, 'path'>;

export class Transport {
  readonly url: string;
  readonly #fetch: typeof fetch;
  readonly #token: string | undefined;

  constructor({ url, token, fetch: own }: KernelAddress) {
    // bounded: an address is short.
    this.url = url.replace(/\/+$/, '');
    this.#token = token;
    // Browsers require that fetch is called as a function of the window.
    this.#fetch = own ?? ((input, init) => fetch(input, init));
  }

  /** Resolves with the JSON of the response. @throws KernelApiError, ConnectionError, or the reason of the signal */
  async json<T>(method: string, path: string, input: TransportInput = {}): Promise<T> {
    const response = await this.send(method, path, input);
    const text = await read(() => response.text(), input.signal);
    try {
      return JSON.parse(text) as T;
    } catch {
      throw unexpectedAnswer(response, text);
    }
  }

  /** Resolves with the response, its body unread. @throws the errors of `json` */
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
      // A redirect could change the request, and send the token to another host.
      redirect: 'manual',
      headers: { ...json, ...(this.#token && { 'x-service-token': this.#token }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes !== undefined && { body: bytes, duplex: 'half' }),
      ...(signal && { signal }),
    };
    const response = await read(() => this.#fetch(url, init), signal);
    if (response.ok) return response;
    throw await read(() => parseApiError(response), signal);
  }
}

/** Converts network errors, which differ between runtimes, to ConnectionError. */
async function read<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new ConnectionError('The connection to the kernel failed.', error);
  }
}
