/**
 * Compresses JSON responses for clients that accept it. Streams, files and pages do not pass here as texts of JSON, and
 * stay as they are.
 */
import { brotliCompress, type CompressCallback, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Smaller bodies fit into one packet anyway. */
const MIN_BYTES = 1024;
const TYPES = ['application/json', 'application/problem+json'];

type Encoding = 'br' | 'gzip';

const BROTLI = {
  // About as fast as gzip, and smaller. A small window takes less memory.
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const GZIP = { level: 4 };

/** They run in threads, so that a long body does not block the event loop (SAFE-7). */
const COMPRESS: Readonly<Record<Encoding, (text: string, done: CompressCallback) => void>> = {
  br: (text, done) => brotliCompress(text, BROTLI, done),
  gzip: (text, done) => gzip(text, GZIP, done),
};

export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, body, done) => {
    if (typeof body !== 'string' || Buffer.byteLength(body) < MIN_BYTES || !isJson(reply))
      return done(null, body);
    reply.header('vary', withAcceptEncoding(reply.getHeader('vary')));
    const encoding = findEncoding(request.headers['accept-encoding']);
    // A strong ETag names these very bytes.
    const isFixed = reply.hasHeader('content-encoding') || reply.hasHeader('etag');
    if (encoding === undefined || isFixed) return done(null, body);
    COMPRESS[encoding](body, (error, bytes) => {
      if (error) return done(null, body);
      reply.header('content-encoding', encoding).removeHeader('content-length');
      done(null, bytes);
    });
  });
}

const isJson = (reply: FastifyReply): boolean => {
  const type = reply.getHeader('content-type');
  return typeof type === 'string' && TYPES.includes(type.split(';', 1)[0]!.trim());
};

const withAcceptEncoding = (vary: ReturnType<FastifyReply['getHeader']>): string =>
  vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;

/** The encoding that the client prefers, Brotli if it has no preference; undefined if it accepts none. */
export function findEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  let best: Encoding | undefined;
  let bestWeight = 0;
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    if (name !== 'br' && name !== 'gzip') continue;
    const weight = Number(parameters.find(text => text.startsWith('q='))?.slice(2) ?? 1);
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && name === 'br')) {
      best = name;
      bestWeight = weight;
    }
  }
  return best;
}
