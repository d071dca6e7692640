/** Tests which requests to unknown addresses get the page of the web client instead of a problem. */
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { isNavigation } from '../src/http/web-page.ts';

const HTML = 'text/html,application/xhtml+xml;q=0.9';
const navigates = (url: string, method = 'GET', accept?: string) =>
  isNavigation({ method, url, headers: { ...(accept && { accept }) } } as FastifyRequest);

it.each([
  ['GET', HTML, true],
  ['HEAD', HTML, true],
  ['POST', HTML, false],
  ['GET', '*/*', false],
  ['HEAD', undefined, false],
])('[WEB-1] %s with Accept %s is a navigation: %s', (method, accept, is) => {
  expect(navigates('/nowhere/v1?mcp', method, accept)).toBe(is);
});

it.each([
  ...['v1', 'openai', 'mcp', 'anthropic', 'files', 'images', 'apidocs', 'healthz', 'readyz', 'metrics'],
  'assets',
])('[WEB-1] shows no page below /%s', segment => {
  for (const rest of ['', '/nowhere', '?a/b'])
    expect([rest, navigates(`/${segment}${rest}`, 'GET', HTML)]).toEqual([rest, false]);
});
