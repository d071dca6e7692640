/** Images that models generated, open to everybody who knows the id. */
import { Id } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'images', description: 'Images that models drew.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/images/:id',
    operationId: 'getImage',
    summary: 'Read an image',
    description: 'Open to whoever knows the id. The bytes of an id never change.',
    tag,
    open: true,
    request: { params: z.object({ id: Id }) },
    responses: { 200: { contentType: 'image/*', description: 'The bytes.' } },
    responseHeaders: { 'Cache-Control': 'The bytes of an id never change.' },
    errors: ['storage_unavailable'],
    handler: async ({ kernel, params, reply }) => {
      const { media_type, bytes } = await kernel.files.image(params.id);
      return reply
        .headers({
          'content-type': media_type,
          'cache-control': 'public, max-age=31536000, immutable',
          // Web clients of other origins may show the image; a stranger does not know the id.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  }),
];
