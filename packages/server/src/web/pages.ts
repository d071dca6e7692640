// Written from apps/web/src/nav/pages.ts: `npm run docs` regenerates it, `npm run check` compares it. Not to be edited.

/** The addresses of the page. */
export const ADDRESSES: readonly string[] = [
  '/',
  '/chats/:id',
  '/settings',
  '/usage',
  '/schedules',
  '/memory',
  '/modules',
  '/machines',
  '/persons',
  '/videos',
  '/permissions',
  '/books',
];

/** First segments that are not addresses of the page. */
export const RESERVED: readonly string[] = [
  'v1',
  'openai',
  'mcp',
  'anthropic',
  'files',
  'images',
  'apidocs',
  'healthz',
  'readyz',
  'metrics',
  'assets',
];
