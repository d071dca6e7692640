/** Uploads and serves files, streamed both ways. Every client that knows the id can read a file. */
import { Readable } from 'node:stream';
import type { RouteTag } from '@chat-kernel/http';
import {
  checkLength,
  formatContentDisposition,
  isShownInPlace,
  uploadedBytes,
  uploadedName,
  uploadedType,
} from '@chat-kernel/http';
import { safeFileName } from '@chat-kernel/kernel';
import { Id, KernelError, UploadedFile } from '@chat-kernel/protocol';
import { z } from 'zod';
import { parseRange } from '../files/range.ts';
import { defineRoute } from '../http/route.ts';

const tag: RouteTag = { name: 'files', description: 'Uploaded files.' };

/** Policy under which nothing in a file can run, reach the kernel, or know its origin. */
const HARMLESS =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/files',
    operationId: 'uploadFile',
    summary: 'Upload a file',
    description:
      'The body is the file content. The Content-Type is stored as the media type. ' +
      'A file that no message uses is deleted after seven days.',
    tag,
    rawBody: 'The content.',
    request: {
      headers: z.object({
        'x-file-name': z.string().optional().describe('The file name in percent-encoded UTF-8.'),
      }),
    },
    responses: { 201: UploadedFile },
    errors: ['body_too_large', 'invalid_value', 'storage_unavailable'],
    async handler({ kernel, headers, request, settings }) {
      const most = settings.files.max_bytes;
      const media_type = uploadedType(request.headers['content-type']);
      const file = { name: uploadedName(headers['x-file-name']), media_type };
      checkLength(request.raw, most);
      const { id, name, size } = await kernel.files.save(file, uploadedBytes(request.raw, most));
      return { id, name, media_type, size };
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/files/:id',
    operationId: 'getFile',
    summary: 'Download a file',
    description:
      'Supports a Range header with one range. Browsers display images, audio, video, PDF and plain text inline.',
    tag,
    open: true,
    request: { params: z.object({ id: Id }) },
    responses: {
      200: { contentType: '*/*', description: 'The content.' },
      206: { contentType: '*/*', description: 'The content of the range.' },
    },
    responseHeaders: {
      'Accept-Ranges': 'bytes',
      'Content-Disposition': 'The name of the file.',
      ETag: 'The content of an id never changes.',
    },
    errors: ['range_not_satisfiable', 'storage_unavailable'],
    async handler({ kernel, params, request, reply }) {
      const file = await kernel.files.file(params.id);
      const { size, name, media_type } = file;
      const etag = `"${file.id}"`;
      const { range: asked, 'if-range': ifRange } = request.headers;
      const range = ifRange === undefined || ifRange === etag ? parseRange(asked, size) : null;
      if (range === 'none') {
        reply.header('content-range', `bytes */${size}`);
        throw new KernelError('range_not_satisfiable', `The file has ${size} bytes.`);
      }
      // A HEAD reads nothing.
      const bytes =
        request.method === 'HEAD' ? Readable.from([]) : await kernel.files.bytes(file, range ?? undefined);
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
      return reply
        .headers({
          'content-type': media_type === 'text/plain' ? 'text/plain; charset=utf-8' : media_type,
          'content-length': range ? range.end - range.start + 1 : size,
          'content-disposition': formatContentDisposition(
            isShownInPlace(media_type) ? 'inline' : 'attachment',
            safeFileName(name, media_type),
          ),
          'content-security-policy': HARMLESS,
          'accept-ranges': 'bytes',
          etag,
          'cache-control': 'private, max-age=31536000, immutable',
          // Web clients of other origins may show the file; only those who know its id can request it.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(bytes);
    },
  }),
];
