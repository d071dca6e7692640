/** Serves the effective settings without secrets (API-7). */

import type { RouteTag } from '@chat-kernel/http';
import { Config } from '@chat-kernel/protocol';
import { redact } from '@chat-kernel/settings';
import { defineRoute } from '../http/route.ts';

export const tag: RouteTag = { name: 'operation', description: 'Endpoints for operators of the kernel.' };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/config',
    operationId: 'getConfig',
    summary: 'Get the effective settings',
    description:
      'Merged from file, environment, flags and defaults, as of the start: settings do not change in ' +
      'a running kernel. Every secret is `***`.',
    tag,
    responses: { 200: Config },
    handler: ({ settings }) => redact(settings),
  }),
];
