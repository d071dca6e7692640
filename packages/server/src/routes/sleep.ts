/** Sleep of the kernel, in which turns that arrive wait until it wakes (SLP-1 to SLP-4). */
import { PutToSleep, SleepState, Woken } from '@chat-kernel/protocol';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'sleep', description: 'Turns that wait until the kernel wakes.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/sleep',
    operationId: 'getSleep',
    summary: 'Who sleeps',
    description: 'Whether the kernel sleeps, since when and until when, and which turns sleep.',
    tag,
    responses: { 200: SleepState },
    handler: ({ kernel }) => kernel.sleep.state(),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/sleep',
    operationId: 'sleep',
    summary: 'Put the kernel to sleep',
    description: 'Turns that run go on; turns that arrive wait, and their streams open with `sleeping`.',
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
    summary: 'Wake the kernel, and every turn that sleeps',
    description: 'Answers the turns that slept; where there were none, nothing happens.',
    tag,
    responses: { 200: Woken },
    handler: ({ kernel }) => kernel.sleep.wake(),
  }),
];
