/** Sends small HTML pages without scripts and without external resources. */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}' +
  'code{font-size:1.05em}dt{margin-top:1rem}';
/** Returns the source expression that allows this script or style in a Content-Security-Policy. */
export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = `default-src 'none'; style-src ${cspHash(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Sends a page. @param body HTML written here: nothing is escaped, so it must not contain text of users */
export function page(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
        `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>${body}</body></html>`,
    );
}
