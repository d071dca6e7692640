/** Tests the OpenAPI document and its page, which are built from the whole list of routes. */
import { readFileSync } from 'node:fs';
import type { Log } from '@chat-kernel/kernel';
import * as protocol from '@chat-kernel/protocol';
import { HTTP_ERRORS, Settings } from '@chat-kernel/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApp } from '../src/app.ts';
import type { AppServices } from '../src/http/route.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { ROUTES } from '../src/routes/index.ts';
import { WebClient } from '../src/web/web-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read the document by its keys, and a wrong key fails the test
type Json = Record<string, any>;
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
let app: FastifyInstance;
let document: Json;
beforeAll(async () => {
  // The kernel is left out, because the document is built only from the routes.
  app = await openApp({
    settings: Settings.parse({}),
    log: quiet,
    metrics: new Metrics(),
    version: '1.2.3',
    web: new WebClient(quiet),
  } as AppServices);
  document = (await app.inject('/v1/openapi.json')).json();
});
afterAll(() => app.close());

const operations = (): { path: string; method: string; operation: Json }[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
  );
function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref') yield child;
    else if (key === 'mapping') yield* Object.values(child as Record<string, string>);
    else yield* references(child);
  }
}

describe('the document [SVC-3]', () => {
  it('is OpenAPI 3.1 with a title, a version and every route except pages', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: 'Chat Kernel', version: '1.0.0' });
    const described = operations().map(({ path, method }) => `${method} ${path}`);
    const routes = ROUTES.filter(route => !route.hidden).map(
      ({ method, url }) => `${method.toLowerCase()} ${url.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(described.sort()).toEqual(routes.sort());
  });

  it('equals docs/openapi.json, the source of generated clients', () => {
    const written = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(document).toEqual(JSON.parse(written));
  });

  it('has no dangling reference', () => {
    const all = [...references(document)];
    expect(all.length).toBeGreaterThan(100);
    for (const reference of all) {
      const target = reference
        .replace('#/', '')
        .split('/')
        .reduce<Json | undefined>((value, key) => value?.[key], document);
      expect(target, reference).toBeDefined();
    }
  });

  it('has every named schema of the protocol as a component, once', () => {
    const named = Object.values(protocol)
      .filter(exported => exported instanceof z.ZodType)
      .flatMap(schema => z.globalRegistry.get(schema)?.id ?? []);
    expect(named.length).toBeGreaterThan(40);
    const components = Object.keys(document.components.schemas);
    // Modules get the context of a turn only over their own sockets.
    expect(named.filter(name => !components.includes(name))).toEqual(['TurnContext']);
    // Only the toolset differs: a request may omit fields that a response always has.
    expect(components.filter(name => name.endsWith('Input'))).toEqual(['ToolsetInput']);
  });

  it('has components that a JSON Schema validator accepts', () => {
    const ajv = new Ajv2020({ strict: true, discriminator: false });
    addFormats.default(ajv);
    ajv.addVocabulary(['discriminator', 'components']);
    ajv.addSchema({ $id: 'doc', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `doc#/components/schemas/${name}` }), name).not.toThrow();
    }
    const fits = ajv.compile({ $ref: 'doc#/components/schemas/Event' });
    expect(fits({ type: 'text_delta', text: 'a', from_a_newer_kernel: 1 })).toBe(true);
    expect(fits({ type: 'text_delta' })).toBe(false);
  });

  it('distinguishes events and items by their type and kind', () => {
    const { Event, Item } = document.components.schemas;
    expect(Event.discriminator.propertyName).toBe('type');
    expect(Object.keys(Event.discriminator.mapping)).toEqual(protocol.EVENT_TYPES);
    expect(Event.discriminator.mapping.text_delta).toBe('#/components/schemas/TextDeltaEvent');
    expect(Event.oneOf).toHaveLength(protocol.EVENT_TYPES.length);
    expect(Item.discriminator).toMatchObject({
      propertyName: 'kind',
      mapping: { tool_call: '#/components/schemas/ToolCallItem' },
    });
  });

  it('describes streams as events [SVC-1]', () => {
    const { content, headers } = document.paths['/v1/chats/{id}/messages'].post.responses[200];
    expect(content).toEqual({
      'text/event-stream': {
        schema: { $ref: '#/components/schemas/Event' },
        example: { type: 'text_delta', text: 'Hel' },
      },
    });
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Turn-Id', 'X-Message-Id', 'X-Request-Id']),
    );
  });

  it('has every error code, and errors that are problems [API-8]', () => {
    expect(document.components.schemas.ErrorCode.enum).toEqual(Object.keys(HTTP_ERRORS));
    for (const { path, method, operation } of operations()) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        if (Number(status) < 400 || path === '/readyz') continue;
        expect(Object.keys(response.content), `${method} ${path} ${status}`).toEqual([
          'application/problem+json',
        ]);
      }
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['403', '500']));
    }
    const { responses } = document.paths['/v1/chats'].post;
    expect(responses[400].description).toContain('`unknown_model`');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['201', '413', '415', '422']));
  });

  it('names each operation once and describes it', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations()) {
      expect(operation.operationId).toMatch(/^[a-z][a-zA-Z]+$/);
      expect(operation.summary).toMatch(/\w/);
      expect(operation.tags).toHaveLength(1);
    }
  });

  it('describes path and query parameters', () => {
    const { parameters } = document.paths['/v1/chats/{id}/items'].get;
    expect(parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ in: 'path', name: 'id', required: true }),
        expect.objectContaining({
          in: 'query',
          name: 'limit',
          required: false,
          schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
        }),
      ]),
    );
  });
});

describe('the pages [SVC-3]', () => {
  it('serves the reference with its program from the kernel itself, and blocks other addresses', async () => {
    const { statusCode, headers, body } = await app.inject('/apidocs');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(body).not.toMatch(/https?:|\/\/[a-z]/);
    const sources = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1]);
    expect(sources).toEqual(['/apidocs/js/scalar.js']);
    expect(body).toContain('<title>Chat Kernel API</title>');
    // bounded: the page generated here.
    expect(JSON.parse(/createApiReference\('#app', (\{.*\})\)/s.exec(body)![1]!)).toEqual({
      _integration: 'fastify',
      url: '/v1/openapi.json',
      favicon: expect.stringMatching(/^data:image\/svg\+xml;base64,PHN2ZyB/),
      withDefaultFonts: false,
      defaultOpenAllTags: true,
      modelsSectionLabel: 'Schemas',
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    });

    const policy = String(headers['content-security-policy']);
    expect(policy.replace(/'sha256-[^']+'/, 'HASH').split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' HASH",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);

    const script = await app.inject(sources[0]!);
    expect(script.headers['content-type']).toMatch(/^text\/javascript/);
    expect(script.body).toMatch(/^globalThis\.__zod_globalConfig = \{ jitless: true \};\n/);
    expect(script.body.length).toBeGreaterThan(1_000_000);
  });

  it('has a root page that references only files of this server', async () => {
    const { body, headers } = await app.inject('/');
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(body).not.toMatch(/<script(?![^>]*src=)/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });
});
