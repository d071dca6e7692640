/** Reads files in pieces: on the kernel's machine, and on that of a client with hands (OP-12). */
import type { RouteTag } from '@chat-kernel/http';
import { ChatParams, disconnectSignal } from '@chat-kernel/http';
import {
  BytesFound,
  BytesRead,
  CopyFile,
  FindBytes,
  ReadBytes,
  ReadClientBytes,
  UploadedFile,
} from '@chat-kernel/protocol';
import { routesOf } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'machines',
  description: 'Connected machines, and parts of files on the machine of the kernel or of a client.',
};
const THERE =
  'Works while a client that can run operations has a turn open in the chat, or while the machine of the chat is connected. The owner may be asked. ' +
  'Relative paths start at the working directory of the chat, if it has one on that machine.';

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('POST /v1/ops/read_bytes', {
    operationId: 'readBytes',
    summary: "Read part of a file on the kernel's machine",
    description: 'The data, settings and keys of the kernel are not accessible.',
    request: { body: ReadBytes },
    responses: { 200: BytesRead },
    errors: ['invalid_value', 'forbidden_path', 'not_found'],
    handler: ({ kernel, body }) => kernel.operations.readBytes(body),
  }),
  defineRoute('POST /v1/chats/:id/ops/read_bytes', {
    operationId: 'readClientBytes',
    summary: "Read part of a file on the client's machine",
    description: `${THERE} With \`request\`, the owner is not asked, and secret places are refused.`,
    request: { params: ChatParams, body: ReadClientBytes },
    responses: { 200: BytesRead },
    errors: ['invalid_value', 'forbidden_path', 'no_client', 'unknown_request'],
    handler: ({ kernel, params, body, reply }) =>
      kernel.operations.readClientBytes(params.id, body, disconnectSignal(reply)),
  }),
  defineRoute('POST /v1/chats/:id/ops/copy_file', {
    operationId: 'copyFile',
    summary: 'Copy a file of the chat to the uploads',
    description:
      'For modules that send files. Works only during a turn of the master that may use read_file, and only for uploads and files in the working directory of the chat. An upload is returned unchanged.',
    request: { params: ChatParams, body: CopyFile },
    responses: { 201: UploadedFile },
    errors: [
      'invalid_value',
      'forbidden_path',
      'not_found',
      'no_client',
      'body_too_large',
      'storage_unavailable',
    ],
    handler: ({ kernel, params, body, reply, settings }) =>
      kernel.operations.copyFile(params.id, body.path, settings.files.max_bytes, disconnectSignal(reply)),
  }),
  defineRoute('POST /v1/chats/:id/ops/find_bytes', {
    operationId: 'findClientBytes',
    summary: "Find bytes in a file on the client's machine",
    description: THERE,
    request: { params: ChatParams, body: FindBytes },
    responses: { 200: BytesFound },
    errors: ['invalid_value', 'forbidden_path', 'no_client'],
    handler: ({ kernel, params, body, reply }) =>
      kernel.operations.findClientBytes(params.id, body, disconnectSignal(reply)),
  }),
];
