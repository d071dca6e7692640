/** Serves the API reference: the OpenAPI document, its page, and the meaning of the error codes. */
import { HTTP_ERRORS } from '@chat-kernel/protocol';
import { fastify } from 'fastify';
import { routesOf } from '../http/route.ts';
import { cspHash, page } from '../http/web-page.ts';

const defineRoute = routesOf({ name: 'reference', description: 'This document.' });
const html = { 200: { contentType: 'text/html', description: 'A page.' } };

export const routes = [
  defineRoute('GET /v1/openapi.json', {
    operationId: 'getOpenapi',
    summary: 'This document',
    description: 'OpenAPI 3.1, generated from the routes of this kernel.',
    open: true,
    responses: { 200: { contentType: 'application/json', description: 'OpenAPI 3.1.' } },
    handler: ({ request }) => request.server.openapi(),
  }),
  defineRoute('GET /apidocs', {
    operationId: 'getReference',
    summary: 'The API reference as a web page',
    hidden: true,
    responses: html,
    handler: async ({ reply }) => {
      const { html, policy } = await referencePage();
      return reply
        .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
        .send(html);
    },
  }),
  defineRoute('GET /apidocs/js/scalar.js', {
    operationId: 'getReferenceScript',
    summary: 'The script of the API reference',
    hidden: true,
    responses: { 200: { contentType: 'text/javascript', description: 'A script.' } },
    handler: async ({ reply }) => {
      const { script } = await referencePage();
      return reply
        .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' })
        .send(script);
    },
  }),
  defineRoute('GET /apidocs/errors', {
    operationId: 'getErrorPage',
    summary: 'List of error codes',
    hidden: true,
    responses: html,
    handler: ({ reply }) => {
      const rows = Object.entries(HTTP_ERRORS).map(
        ([code, { status, title }]) =>
          `<dt id="${code}"><code>${code}</code> (${status})</dt><dd>${title}.</dd>`,
      );
      return page(reply, 'Error codes', `<h1>Error codes</h1><dl>${rows.join('\n')}</dl>`);
    },
  }),
];

interface ReferencePage {
  html: string;
  script: Buffer;
  /** Content-Security-Policy: the page can reach this kernel and nothing else. */
  policy: string;
}

let loading: Promise<ReferencePage> | undefined;

/** Loads the page and its script, once. */
export function referencePage(): Promise<ReferencePage> {
  loading ??= load();
  // A failure is not cached, so that the next request tries again.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function load(): Promise<ReferencePage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  // Fastify accepts plugins only before it listens, so Scalar has its own application, which receives one request.
  const app = fastify();
  await app.register(scalar, {
    routePrefix: '/apidocs',
    configuration: {
      url: '/v1/openapi.json',
      cdn: '/apidocs/js/scalar.js',
      pageTitle: 'Chat Kernel API',
      favicon: ICON,
      withDefaultFonts: false,
      defaultOpenAllTags: true,
      modelsSectionLabel: 'Schemas',
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const [page, script] = await Promise.all([app.inject('/apidocs/'), app.inject('/apidocs/js/scalar.js')]);
  await app.close();
  return {
    html: page.body,
    script: Buffer.concat([Buffer.from(NO_EVAL), script.rawPayload]),
    policy: buildPolicy(page.body),
  };
}

/** Prevents the zod inside Scalar from testing whether it may compile code from strings, which the policy forbids. */
const NO_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n';

/** A speech bubble. Without an icon the browser would request /favicon.ico, which does not exist. */
const ICON = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 2h12v9H8l-4 4v-4H2z" fill="#0a7"/></svg>',
).toString('base64')}`;

function buildPolicy(html: string): string {
  // bounded: the page generated here.
  const inline = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(match => match[1]!).filter(Boolean);
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.map(cspHash).join(' ')}`,
    // Scalar's script writes its styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
