/**
 * Serves the web client: its page at every address that it knows, and its files. They need no token, because they hold
 * no data.
 */
import { KernelError } from '@chat-kernel/protocol';
import { ADDRESSES } from '@chat-kernel/web/pages';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';
import { PERMISSIONS, POLICY, sendWebPage } from '../http/web-page.ts';
import type { BuiltFile } from '../web/built-files.ts';
import { tag } from './operation.ts';

/**
 * The frame for previews runs code that a model wrote. It has no origin and no addresses: `sandbox` and `default-src` hold
 * if it is opened outside of the page, too.
 */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

const FILES = ['/manifest.webmanifest', '/service-worker.js', '/icon.svg', '/icon-192.png', '/icon-512.png'];

const html = { 200: { contentType: 'text/html', description: 'A page.' } };
const bytes = { 200: { contentType: '*/*', description: 'The content.' } };

const defineRoute = routesOf(tag);

export const routes = [
  ...ADDRESSES.map(url =>
    defineRoute(`GET ${url}`, {
      operationId: `getPage${toRouteName(url)}`,
      summary: 'The web client',
      hidden: true,
      responses: html,
      handler: ({ request, reply, ...services }) => sendWebPage(services, request, reply),
    }),
  ),
  ...FILES.map(url =>
    defineRoute(`GET ${url}`, {
      operationId: `getFile${toRouteName(url)}`,
      summary: 'A file of the web client',
      hidden: true,
      responses: bytes,
      handler: async ({ web, request, reply }) =>
        send(reply, await web.file(url.slice(1), request.headers['accept-encoding']), 'no-cache'),
    }),
  ),
  defineRoute('GET /assets/:name', {
    operationId: 'getWebAsset',
    summary: 'A file of the web client, named by its hash',
    hidden: true,
    request: { params: z.object({ name: z.string() }) },
    responses: bytes,
    handler: async ({ web, params, request, reply }) => {
      const file = await web.file(`assets/${params.name}`, request.headers['accept-encoding']);
      return send(reply, file, 'public, max-age=31536000, immutable');
    },
  }),
];

function toRouteName(url: string): string {
  return url.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}

function send(reply: FastifyReply, file: BuiltFile | null, cacheControl: string): FastifyReply {
  if (file === null) throw new KernelError('not_found', 'The web client has no file with this name.');
  const isFrame = file.type.startsWith('text/html');
  return reply
    .headers({
      'content-type': file.type,
      // A worker is bound to the policy sent with its own program. The only page among the files is the frame.
      'content-security-policy': isFrame ? FRAME_POLICY : POLICY,
      ...(isFrame && { 'connection-allowlist': '()', 'permissions-policy': PERMISSIONS }),
      'cache-control': cacheControl,
      vary: 'Origin, Accept-Encoding',
      ...(file.encoding && { 'content-encoding': file.encoding }),
    })
    .send(file.bytes);
}
