/**
 * Serves calls from other kernels of the database to this one's modules and tool servers (FLEET-4). They are not part
 * of the API: all other callers get not_found.
 */
import { parseTraceHeaders } from '@chat-kernel/http';
import { inTrace } from '@chat-kernel/kernel';
import { Id, KernelError } from '@chat-kernel/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AnswerBody, CALLS, CallBody } from '../fleet/call-protocol.ts';
import { LineWriter } from '../fleet/line-writer.ts';
import { type OtherKernels, routesOf } from '../http/route.ts';
import { tag } from './operation.ts';

const params = z.object({ id: Id });

const defineRoute = routesOf(tag);

export const routes = [
  defineRoute(`POST ${CALLS}/:id`, {
    operationId: 'runCallOfKernel',
    summary: 'Run a call for the chat of another kernel',
    hidden: true,
    request: { params, body: CallBody },
    responses: {
      200: { contentType: 'application/x-ndjson', description: 'The progress of the call and its output.' },
    },
    handler({ kernel, params, body, request, reply, others }) {
      const lines = new LineWriter(reply);
      const ended = inTrace(parseTraceHeaders(request.headers), () =>
        kernel.membership.callsForOthers.run(
          { id: params.id, ...body },
          {
            kernel: requireCaller(request, others),
            signal: lines.signal,
            progress: output => lines.say({ progress: output }),
            ask: (n, what) => lines.say({ ask: n, ...what }),
            unask: n => lines.say({ unask: n }),
          },
        ),
      );
      lines.begin();
      ended.then(
        output => lines.end(output),
        () => lines.breakOff(),
      );
      return reply;
    },
  }),
  defineRoute(`POST ${CALLS}/:id/answers`, {
    operationId: 'answerCallOfKernel',
    summary: 'Answer a question of a call for another kernel',
    hidden: true,
    request: { params, body: AnswerBody },
    responses: { 200: z.object({}) },
    handler({ kernel, params, body, request, others }) {
      requireCaller(request, others);
      const { ask, ...answer } = body;
      kernel.membership.callsForOthers.answer(params.id, ask, answer);
      return {};
    },
  }),
];

/** The id of the calling kernel. @throws KernelError not_found if the caller is not a kernel */
function requireCaller(request: FastifyRequest, others: OtherKernels | undefined): string {
  const caller = others?.callerOf(request);
  if (caller === undefined) throw new KernelError('not_found', 'There is no route at this path.');
  return caller;
}
