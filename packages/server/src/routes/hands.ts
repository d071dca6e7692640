/** Connects, lists and removes stand-by machines for chats (HANDS-1). */
import type { IncomingHttpHeaders } from 'node:http';
import { ClientId, ForgottenHands, HandsList, KernelError, MachineName } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';
import { handsEventStream, stream } from '../http/sse.ts';
import { tag } from './bytes.ts';

const Running = z
  .string()
  .max(100_000)
  .default('')
  .describe('The ids of operations that are running or unanswered on the machine, comma-separated.')
  .transform(text => text.split(',').filter(id => id !== ''));

/**
 * Refuses streams that a page of another site opened, such as the source of an image (CONSENT-12): it can neither set a
 * header nor claim to be of this origin.
 * @throws KernelError invalid_value
 */
function requireOwnClient(clientId: string, headers: IncomingHttpHeaders): void {
  const named = [headers['x-client-id'] ?? ''].flat().join(',');
  if (named === encodeURIComponent(clientId) || named === clientId) return;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  throw new KernelError(
    'invalid_value',
    'The header X-Client-Id must have the same value as client_id, percent-encoded.',
  );
}

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute('GET /v1/hands/live', {
    operationId: 'standBy',
    summary: 'Connect a machine that executes operations for chats',
    description:
      'Connecting the same client_id again ends the older stream. `name_taken` is also the answer to a stream without the ' +
      "machine's secret. Earlier operations that are not in `running` are not sent again; " +
      'they end with an error. Send results to `POST /v1/chats/{chat_id}/ops/result`.',
    request: {
      query: z.object({
        client_id: ClientId.describe('The stable id of the machine, the same after restarts.'),
        name: MachineName,
        platform: z
          .string()
          .min(1)
          .max(100)
          .default('unknown')
          .describe('The operating system, such as linux.'),
        sandbox: z
          .enum(['bwrap', 'sandbox-exec', 'none'])
          .optional()
          .describe('The sandbox of commands on the machine, for requests for consent.'),
        running: Running,
      }),
      headers: z.object({
        'x-client-id': z
          .string()
          .optional()
          .describe(
            'The same as client_id, percent-encoded. Only an EventSource of a page of the kernel may omit it.',
          ),
        'x-client-secret': z
          .string()
          .min(16)
          .max(200)
          .optional()
          .describe(
            'A random text that stays the same across restarts. After the first stream with it, the client_id connects only with it.',
          ),
      }),
    },
    responses: { 200: handsEventStream },
    errors: ['name_taken', 'too_many_machines', 'shutting_down'],
    async handler({ kernel, query, headers, request, reply }) {
      requireOwnClient(query.client_id, request.headers);
      const secret = headers['x-client-secret'];
      return stream(reply, await kernel.machines.connect({ ...query, secret }));
    },
  }),
  defineRoute('GET /v1/hands', {
    operationId: 'listHands',
    summary: 'List machines',
    description: 'Includes disconnected machines until they are removed.',
    responses: { 200: HandsList },
    handler: ({ kernel }) => kernel.machines.list(),
  }),
  defineRoute('DELETE /v1/hands/:client_id', {
    operationId: 'forgetHands',
    summary: 'Remove a machine',
    description:
      'Frees its name and ends its operations with an error. A machine that is still running reconnects automatically.',
    request: { params: z.object({ client_id: ClientId.describe('The client_id of the machine.') }) },
    responses: { 200: ForgottenHands },
    handler: ({ kernel, params }) => kernel.machines.forget(params.client_id),
  }),
];
