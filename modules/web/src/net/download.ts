/** Downloads a URL with limits for size (also after decompression), time and redirects. Checks each redirect target. */
import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { abortable } from '@chat-kernel/base';
import { ToolError } from '@chat-kernel/module-sdk';
import type { Internet } from '@chat-kernel/net';
import { readAddress, resolveDestination } from './destination.ts';

export const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SECS = 30;
const MAX_REDIRECTS = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const UNPACK: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Identifies the program, and says that it is not a crawler. */
const USER_AGENT = 'chat-kernel-web/0.1.0 (one page, asked for by a person)';

export interface Answer {
  /** The final URL, after redirects. */
  url: URL;
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Uint8Array;
  /** The response was larger than `MAX_BYTES`. */
  cut: boolean;
}

interface Way {
  headers: Readonly<Record<string, string>>;
  /** Null: any host from the user's settings is allowed, and redirects are not followed. */
  guard: { allow: readonly string[]; internet: Internet } | null;
  signal: AbortSignal;
}

/** @throws ToolError with a sentence for the model */
export async function download(start: URL, { headers, guard, signal }: Way): Promise<Answer> {
  const deadline = AbortSignal.timeout(MAX_SECS * 1000);
  const ends = AbortSignal.any([signal, deadline]);
  let url = start;
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const to = guard && (await abortable(resolveDestination(url, guard.allow, guard.internet), ends));
      const response = await ask(url, to, headers, ends);
      const { location } = response.headers;
      if (guard === null || !REDIRECTS.has(response.statusCode ?? 0) || location === undefined) {
        const read = await readBody(response);
        return { url, status: response.statusCode ?? 0, headers: response.headers, ...read };
      }
      response.destroy();
      url = readAddress(location, url);
    }
  } catch (error) {
    if (deadline.aborted) throw new ToolError(`${url.host} did not answer within ${MAX_SECS} seconds.`);
    signal.throwIfAborted();
    throw explained(error, start, url);
  }
  throw new ToolError(`${start.href} redirects more than ${MAX_REDIRECTS} times.`);
}

function ask(
  url: URL,
  to: readonly LookupAddress[] | null,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const lookup: LookupFunction = (_, options, callback) => {
    const [first] = to ?? [];
    if (options.all) callback(null, [...(to ?? [])]);
    else callback(null, first?.address ?? '', first?.family);
  };
  const request = (url.protocol === 'https:' ? secure : plain)(url, {
    // Do not reuse connections, because the address must be checked for each request.
    agent: false,
    headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'gzip, deflate, br, zstd', ...headers },
    ...(to && { lookup }),
    signal,
  });
  request.on('response', resolve).on('error', reject).end();
  return promise;
}

async function readBody(response: IncomingMessage): Promise<Pick<Answer, 'bytes' | 'cut'>> {
  const unpack = UNPACK[response.headers['content-encoding']?.toLowerCase() ?? ''];
  const body = (unpack ? pipeline(response, unpack(), () => {}) : response) as Readable;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > MAX_BYTES) break;
  }
  response.destroy();
  return { bytes: Buffer.concat(chunks).subarray(0, MAX_BYTES), cut: size > MAX_BYTES };
}

/** Describes a network failure, with the URL. */
function explained(error: unknown, start: URL, url: URL): ToolError {
  const from = url === start ? '' : `${start.href} redirects to ${url.href}. `;
  if (error instanceof ToolError) return new ToolError(`${from}${error.message}`);
  const { message, code } = error as NodeJS.ErrnoException;
  return new ToolError(`${from}${url.host} could not be reached: ${message || code}.`, { cause: error });
}
