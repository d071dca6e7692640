/** The page at the root, for people who open the address of the kernel in a browser. */
import { page } from '../http/page.ts';
import { defineRoute } from '../http/route.ts';
import { tag } from './config.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/',
    operationId: 'getRoot',
    summary: 'A page for people',
    tag,
    hidden: true,
    responses: { 200: { contentType: 'text/html', description: 'A page.' } },
    handler: ({ reply, version }) =>
      page(
        reply,
        'Chat Kernel',
        `<h1>Chat Kernel</h1>
<p>Version ${version} is running and takes requests at this address.</p>
<ul>
<li><a href="/apidocs">API reference</a></li>
<li><a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/apidocs/errors">Error codes</a></li>
</ul>`,
      ),
  }),
];
