/** Builds applications for tests of the HTTP layer: the real builder, with a few routes that need no kernel. */
import { ChatParams, Limit } from '@chat-kernel/http';
import type { Log } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { openApp } from '../src/app.ts';
import { type AppServices, type Route, routesOf } from '../src/http/route.ts';
import { Metrics } from '../src/metrics/metrics.ts';

export interface Line {
  level: string;
  facts: Record<string, unknown>;
  sentence: string;
}

const Note = z
  .object({
    text: z.string(),
    tags: z.array(z.object({ name: z.string() })).default([]),
    extra: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'TestNote' });

const defineRoute = routesOf({ name: 'test', description: 'Routes of a test.' });

const TEST_ROUTES: readonly Route[] = [
  defineRoute('POST /v1/notes', {
    operationId: 'createNote',
    summary: 'Echo',
    request: { body: Note },
    responses: { 201: Note },
    handler: ({ body }) => body,
  }),
  defineRoute('GET /v1/notes', {
    operationId: 'listNotes',
    summary: 'Echo the query',
    request: { query: z.object({ limit: Limit, before: z.uuid().optional() }) },
    responses: { 200: z.object({ limit: z.int() }).meta({ id: 'TestLimit' }) },
    handler: ({ query }) => ({ limit: query.limit }),
  }),
  defineRoute('DELETE /v1/notes/:id', {
    operationId: 'deleteNote',
    summary: 'Nothing to say',
    request: { params: ChatParams },
    responses: { 204: null },
    handler: ({ reply }) => reply.code(204).send(),
  }),
  defineRoute('GET /healthz', {
    operationId: 'checkHealth',
    summary: 'Nothing to say',
    responses: { 200: z.object({}).meta({ id: 'TestHealth' }) },
    handler: () => ({}),
  }),
  defineRoute('GET /v1/broken', {
    operationId: 'breakDown',
    summary: 'Throws',
    responses: { 200: z.object({}).meta({ id: 'TestNothing' }) },
    handler: () => {
      throw new Error('inner text of the failure');
    },
  }),
];

/**
 * Starts the application on a free port of loopback. `lines` is the log.
 * @param connect creates the connection to other kernels
 */
export async function startTestApp(
  server: Record<string, unknown> = {},
  connect?: (log: Log) => AppServices['others'],
): Promise<{ app: FastifyInstance; url: string; lines: Line[] }> {
  const lines: Line[] = [];
  const at = (level: string) => (facts: object, sentence: string) => {
    lines.push({ level, facts: facts as Record<string, unknown>, sentence });
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  // The kernel is left out, because these routes do not use it.
  const parts = {
    settings: Settings.parse({ server }),
    log,
    metrics: new Metrics(),
    version: '1.2.3',
    others: connect?.(log),
  } as AppServices;
  const app = await openApp(parts, TEST_ROUTES);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, url, lines };
}
