/** Mounts faces in Fastify: behind the guard like any route, and loaded at the first request to them. */
import { Readable } from 'node:stream';
import { disconnectSignal, type Face, type FaceAnswer } from '@chat-kernel/http';
import type { Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takeProblem } from '../http/problems.ts';
import { ownUrl } from '../http/url.ts';
import type { LazyFace } from './face.ts';
import { inProcessFetch } from './in-process-fetch.ts';

/** The services of the application that faces use. */
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
  { prefix, anyBody, maxValues, load }: LazyFace,
  { log, settings }: FaceServices,
): void {
  if (anyBody) scope.addContentTypeParser('*', async () => undefined);
  const ownFetch = inProcessFetch(scope.server);
  let opened: Promise<Face> | undefined;
  const open = () => {
    const {
      server: { public_url: publicUrl },
      interfaces,
    } = settings;
    const onFailure = (error: unknown) => log.error({ err: error, face: prefix }, 'unexpected error');
    opened ??= load()
      .then(openFace =>
        openFace({ url: ownUrl(scope.server), fetch: ownFetch, publicUrl, interfaces, onFailure }),
      )
      .catch(error => {
        // The next request tries again.
        opened = undefined;
        throw error;
      });
    return opened;
  };
  // Faces close after the server, so that callers still receive the end of their turns.
  scope.addHook('onClose', async () => (await opened?.catch(() => undefined))?.close());
  scope.setErrorHandler(async (error, request, reply) => {
    if (isHangUp(error, reply)) return reply.hijack();
    const problem = takeProblem(error, request, reply, log);
    return send(reply, (await open()).refusal(problem));
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, url, headers, body, raw } = request;
    const path = url.split('?', 1)[0]!.slice(prefix.length);
    const signal = disconnectSignal(reply);
    return send(
      reply,
      await (await open()).answer({ method, path, headers, body, ...(anyBody && { bytes: raw }), signal }),
    );
  };
  scope.all('/', { config: { maxValues } }, handler);
  scope.all('/*', { config: { maxValues } }, handler);
}

/** Whether a stream failed because its client disconnected: there is no receiver for an error, and nothing is wrong. */
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
