/**
 * Calls that other kernels of the database make of this one's modules and tool servers (FLEET-4). They are no part of the
 * API: for everybody else there is nothing here.
 */
import { Id, KernelError } from '@chat-kernel/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AnswerBody, CALLS, CallBody } from '../fleet/call-lines.ts';
import { LineWriter } from '../fleet/line-writer.ts';
import { defineRoute, type OtherKernels } from '../http/route.ts';
import { tag } from './config.ts';

const params = z.object({ id: Id });

export const routes = [
  defineRoute({
    method: 'POST',
    url: `${CALLS}/:id`,
    operationId: 'runCallOfKernel',
    summary: 'Run a call for the chat of another kernel',
    tag,
    hidden: true,
    request: { params, body: CallBody },
    responses: { 200: { contentType: 'application/x-ndjson', description: 'What it does, to its output.' } },
    handler({ kernel, params, body, request, reply, others }) {
      const lines = new LineWriter(reply);
      const ended = kernel.callsForOthers.run(
        { id: params.id, ...body },
        {
          kernel: callerOf(request, others),
          signal: lines.signal,
          progress: output => lines.say({ progress: output }),
          ask: (n, what) => lines.say({ ask: n, ...what }),
          unask: n => lines.say({ unask: n }),
        },
      );
      lines.begin();
      ended.then(
        output => lines.end(output),
        () => lines.breakOff(),
      );
      return reply;
    },
  }),
  defineRoute({
    method: 'POST',
    url: `${CALLS}/:id/answers`,
    operationId: 'answerCallOfKernel',
    summary: 'Answer what a call for another kernel has asked',
    tag,
    hidden: true,
    request: { params, body: AnswerBody },
    responses: { 200: z.object({}) },
    handler({ kernel, params, body, request, others }) {
      callerOf(request, others);
      const { ask, ...answer } = body;
      kernel.callsForOthers.answer(params.id, ask, answer);
      return {};
    },
  }),
];

/** The id of the kernel that asks. @throws KernelError not_found where it is none */
function callerOf(request: FastifyRequest, others: OtherKernels | undefined): string {
  const caller = others?.callerOf(request);
  if (caller === undefined) throw new KernelError('not_found', 'There is nothing here.');
  return caller;
}
