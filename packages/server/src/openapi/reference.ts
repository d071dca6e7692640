/**
 * Builds the page of the API reference with Scalar: served by the kernel, and blocked from the network by its policy.
 * Scalar's package is large, so it is loaded when a browser opens the page.
 */
import { fastify } from 'fastify';
import { cspHash } from '../http/page.ts';

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
