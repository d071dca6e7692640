/** The settings that count, as they may be shown (API-7). */
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';
import { redact } from '../settings/redact.ts';

export const tag: RouteTag = { name: 'operation', description: 'For whoever runs the kernel.' };

/** A hidden value need not look like what it hides, so what the schema asks of values is not promised here. */
const Config = z
  .object(
    Object.fromEntries(
      Object.keys(Settings.shape).map(section => [
        section,
        section === 'data_dir' ? z.string() : z.record(z.string(), z.unknown()),
      ]),
    ),
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
