/** Controls the sleep of the kernel, in which new turns wait until it wakes (SLP-1 to SLP-4). */

import type { RouteTag } from '@chat-kernel/http';
import { PutToSleep, SleepState, Woken } from '@chat-kernel/protocol';
import { defineRoute } from '../http/route.ts';

const tag: RouteTag = { name: 'sleep', description: 'Sleeping and waking the kernel.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/sleep',
    operationId: 'getSleep',
    summary: 'Get the sleep state',
    description: 'Whether the kernel is asleep, since when and until when, and which turns sleep.',
    tag,
    responses: { 200: SleepState },
    handler: ({ kernel }) => kernel.sleep.state(),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/sleep',
    operationId: 'sleep',
    summary: 'Put the kernel to sleep',
    description: 'Running turns continue. New turns wait, and their streams open with `sleeping`.',
    tag,
    request: { body: PutToSleep },
    responses: { 200: SleepState },
    errors: ['invalid_value'],
    handler: ({ kernel, body }) => kernel.sleep.sleep(body),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/sleep/wake',
    operationId: 'wake',
    summary: 'Wake the kernel and all sleeping turns',
    description: 'Returns the turns that were asleep. Does nothing if there were none.',
    tag,
    responses: { 200: Woken },
    handler: ({ kernel }) => kernel.sleep.wake(),
  }),
];
