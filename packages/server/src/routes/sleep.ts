/** Controls the sleep of the kernel, in which new turns wait until it wakes (SLP-1 to SLP-4). */
import { PutToSleep, SleepState, Woken } from '@chat-kernel/protocol';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf({ name: 'sleep', description: 'Sleeping and waking the kernel.' });

export const routes = [
  defineRoute('GET /v1/sleep', {
    operationId: 'getSleep',
    summary: 'Get the sleep state',
    description: 'Whether the kernel is asleep, since when and until when, and which turns sleep.',
    responses: { 200: SleepState },
    handler: ({ kernel }) => kernel.sleep.state(),
  }),
  defineRoute('POST /v1/sleep', {
    operationId: 'sleep',
    summary: 'Put the kernel to sleep',
    description: 'Running turns continue. New turns wait, and their streams open with `sleeping`.',
    request: { body: PutToSleep },
    responses: { 200: SleepState },
    errors: ['invalid_value'],
    handler: ({ kernel, body }) => kernel.sleep.sleep(body),
  }),
  defineRoute('POST /v1/sleep/wake', {
    operationId: 'wake',
    summary: 'Wake the kernel and all sleeping turns',
    description: 'Returns the turns that were asleep. Does nothing if there were none.',
    responses: { 200: Woken },
    handler: ({ kernel }) => kernel.sleep.wake(),
  }),
];
