/** Files read in pieces: on the kernel's machine, and on that of a client with hands (OP-12). */
import { BytesFound, BytesRead, FindBytes, ReadBytes } from '@chat-kernel/protocol';
import { hangUpSignal } from '../http/hang-up.ts';
import { ChatParams } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

export const tag: RouteTag = {
  name: 'machines',
  description: 'Machines that stand by, and pieces of files on the machine of the kernel or of a client.',
};
const THERE =
  'Works while a client with hands has a turn open in the chat, or the machine that the chat names is here; its owner may be asked. ' +
  'A relative path begins at the working directory of the chat, where it has one on that machine.';

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/ops/read_bytes',
    operationId: 'readBytes',
    summary: "Read a piece of a file on the kernel's machine",
    description: 'What belongs to the kernel (its data, settings and keys) is out of reach.',
    tag,
    request: { body: ReadBytes },
    responses: { 200: BytesRead },
    errors: ['invalid_value', 'forbidden_path', 'not_found'],
    handler: ({ kernel, body }) => kernel.operations.readBytes(body),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/ops/read_bytes',
    operationId: 'readClientBytes',
    summary: "Read a piece of a file on the client's machine",
    description: THERE,
    tag,
    request: { params: ChatParams, body: ReadBytes },
    responses: { 200: BytesRead },
    errors: ['invalid_value', 'forbidden_path', 'no_client'],
    handler: ({ kernel, params, body, reply }) =>
      kernel.operations.readClientBytes(params.id, body, hangUpSignal(reply)),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/chats/:id/ops/find_bytes',
    operationId: 'findClientBytes',
    summary: "Find bytes in a file on the client's machine",
    description: THERE,
    tag,
    request: { params: ChatParams, body: FindBytes },
    responses: { 200: BytesFound },
    errors: ['invalid_value', 'forbidden_path', 'no_client'],
    handler: ({ kernel, params, body, reply }) =>
      kernel.operations.findClientBytes(params.id, body, hangUpSignal(reply)),
  }),
];
