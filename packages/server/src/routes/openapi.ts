/** Serves the API reference: the OpenAPI document, its page, and the meaning of the error codes. */

import type { RouteTag } from '@chat-kernel/http';
import { HTTP_ERRORS } from '@chat-kernel/protocol';
import { page } from '../http/page.ts';
import { defineRoute } from '../http/route.ts';
import { referencePage } from '../openapi/reference.ts';

const tag: RouteTag = { name: 'reference', description: 'This document.' };
const html = { 200: { contentType: 'text/html', description: 'A page.' } };

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    description: 'OpenAPI 3.1, generated from the routes of this kernel.',
    tag,
    open: true,
    responses: { 200: { contentType: 'application/json', description: 'OpenAPI 3.1.' } },
    handler: ({ request }) => request.server.openapi(),
  }),
  defineRoute({
    method: 'GET',
    url: '/apidocs',
    operationId: 'getReference',
    summary: 'The API reference as a web page',
    tag,
    hidden: true,
    responses: html,
    handler: async ({ reply }) => {
      const { html, policy } = await referencePage();
      return reply
        .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
        .send(html);
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/apidocs/js/scalar.js',
    operationId: 'getReferenceScript',
    summary: 'The script of the API reference',
    tag,
    hidden: true,
    responses: { 200: { contentType: 'text/javascript', description: 'A script.' } },
    handler: async ({ reply }) => {
      const { script } = await referencePage();
      return reply
        .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' })
        .send(script);
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/apidocs/errors',
    operationId: 'getErrorPage',
    summary: 'List of error codes',
    tag,
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
