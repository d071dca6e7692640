/** Requests to the kernel over fetch: the address, the token of its proxy, and errors as errors. */
import { apiErrorOf, BrokenLine } from './errors.ts';

export interface KernelAddress {
  /** Such as http://127.0.0.1:8787. */
  url: string;
  /** What a proxy before the kernel asks for: goes as X-Service-Token (AUTH-2). */
  token?: string | undefined;
  /** Default: the fetch of the runtime. */
  fetch?: typeof fetch | undefined;
}

export interface Asked {
  /** Parameters that are undefined are left out. */
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  bytes?: NonNullable<RequestInit['body']>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export class Transport {
  readonly url: string;
  readonly #fetch: typeof fetch;
  readonly #token: string | undefined;

  constructor({ url, token, fetch: own }: KernelAddress) {
    this.url = url.replace(/\/+$/, '');
    this.#token = token;
    // Browsers insist that their fetch is called as a function of the window.
    this.#fetch = own ?? ((input, init) => fetch(input, init));
  }

  /** The body of the answer. @throws KernelApiError, BrokenLine, or the reason of the signal */
  async json<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
    const response = await this.send(method, path, asked);
    return JSON.parse(await read(() => response.text(), asked.signal)) as T;
  }

  /** An answer whose body nobody has read. @throws as `json` */
  async send(
    method: string,
    path: string,
    { query, body, bytes, headers, signal }: Asked = {},
  ): Promise<Response> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const init: RequestInit & { duplex?: 'half' } = {
      method,
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

/** The path of a chat; ids come from outside. */
export const path = (strings: TemplateStringsArray, ...parts: string[]): string =>
  String.raw({ raw: strings }, ...parts.map(part => encodeURIComponent(part)));

/** What fetch throws where the network fails differs by runtime; here it is a BrokenLine, always. */
async function read<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new BrokenLine('The connection to the kernel failed.', error);
  }
}
