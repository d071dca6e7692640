/** Puts faces into Fastify: behind the guard like any route, loaded at the first request to them. */
import { Readable } from 'node:stream';
import type { Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hangUpSignal } from '../http/hang-up.ts';
import { takeProblem } from '../http/problems.ts';
import { ownUrl } from '../http/url.ts';
import type { Face, FaceAnswer, LazyFace } from './face.ts';

/** What faces need of the application. */
interface FaceServices {
  log: Log;
  settings: Settings;
}

export function mountFaces(app: FastifyInstance, faces: readonly LazyFace[], services: FaceServices): void {
  for (const face of faces) {
    app.register(async scope => mountFace(scope, face, services), { prefix: face.prefix });
  }
}

function mountFace(
  scope: FastifyInstance,
  { prefix, load }: LazyFace,
  { log, settings }: FaceServices,
): void {
  let opened: Promise<Face> | undefined;
  const open = () => {
    const { public_url: publicUrl } = settings.server;
    const onFailure = (error: unknown) => log.error({ err: error, face: prefix }, 'unexpected error');
    opened ??= load()
      .then(openFace => openFace({ url: ownUrl(scope.server), publicUrl, onFailure }))
      .catch(error => {
        // The next request tries again.
        opened = undefined;
        throw error;
      });
    return opened;
  };
  // Not before the server is closed: turns that end with the kernel are told to their callers.
  scope.addHook('onClose', async () => (await opened?.catch(() => undefined))?.close());
  scope.setErrorHandler(async (error, request, reply) => {
    if (isHangUp(error, reply)) return reply.hijack();
    const problem = takeProblem(error, request, reply, log);
    return send(reply, (await open()).refusal(problem));
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, url, headers, body } = request;
    const path = url.split('?', 1)[0]!.slice(prefix.length);
    const signal = hangUpSignal(reply);
    return send(reply, await (await open()).answer({ method, path, headers, body, signal }));
  };
  scope.all('/', handler);
  scope.all('/*', handler);
}

/** Whether a stream could not be sent because nobody reads it any more: there is nobody to be told, and nothing is wrong. */
const isHangUp = (error: unknown, { raw }: FastifyReply): boolean =>
  raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

function send(reply: FastifyReply, { status, headers = {}, body }: FaceAnswer): FastifyReply {
  reply.code(status).headers(headers);
  if (body === undefined) return reply.send();
  if (!(Symbol.asyncIterator in body)) return reply.type('application/json').send(JSON.stringify(body));
  return reply
    .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
    .send(Readable.from(body));
}
