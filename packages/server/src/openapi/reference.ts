/**
 * The page of the API reference: Scalar, served from the kernel itself and kept from the network by its policy.
 * Scalar's package is large and only needed by whoever opens the page: it is loaded then.
 */
import { fastify } from 'fastify';
import { hashOf } from '../http/page.ts';

interface Reference {
  html: string;
  script: Buffer;
  /** Content-Security-Policy: the page can reach this kernel and nothing else. */
  policy: string;
}

let loading: Promise<Reference> | undefined;

/** The page and its script; made once. */
export function reference(): Promise<Reference> {
  loading ??= load();
  // A failure is not kept: the next visitor tries again.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function load(): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  // Plugins can only be added before listening, so Scalar gets an application of its own, asked once.
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
    policy: policyOf(page.body),
  };
}

/** The zod inside Scalar would try whether it may compile code from strings. The policy says no: so it need not ask. */
const NO_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n';

/** A speech bubble: without one the browser asks for /favicon.ico, which nobody has. */
const ICON = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 2h12v9H8l-4 4v-4H2z" fill="#0a7"/></svg>',
).toString('base64')}`;

function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(match => match[1]!).filter(Boolean);
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.map(hashOf).join(' ')}`,
    // Scalar writes its styles from its script.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
