/** Serves the effective settings without secrets (API-7). */

import type { RouteTag } from '@chat-kernel/http';
import { Settings } from '@chat-kernel/protocol';
import { redact } from '@chat-kernel/settings';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

export const tag: RouteTag = { name: 'operation', description: 'Endpoints for operators of the kernel.' };

const Section = z.record(z.string(), z.unknown());
/** The settings that are not sections. */
const OTHERS: Record<string, z.ZodType<unknown>> = { data_dir: z.string(), notify: z.array(Section) };

/** `***` in place of a secret need not match the schema of the settings, so the response only promises sections. */
const Config = z
  .object(
    Object.fromEntries(Object.keys(Settings.shape).map(section => [section, OTHERS[section] ?? Section])),
  )
  .meta({ id: 'Config' });

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
