/** The effective settings, as they may be shown (API-7). */
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';
import { redact } from '../settings/redact.ts';

export const tag: RouteTag = { name: 'operation', description: 'For whoever runs the kernel.' };

const Section = z.record(z.string(), z.unknown());
/** What is no section. */
const OTHERS: Record<string, z.ZodType<unknown>> = { data_dir: z.string(), notify: z.array(Section) };

/** `***` in the place of a secret need not fit the schema of the settings, so the response promises sections alone. */
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
    summary: 'Read the settings that count',
    description:
      'Of file, environment and flags together, with the defaults; as of the start, for settings do not change in ' +
      'a kernel that runs. Every secret is `***`.',
    tag,
    responses: { 200: Config },
    handler: ({ settings }) => redact(settings),
  }),
];
