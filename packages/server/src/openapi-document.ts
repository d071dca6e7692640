/** The OpenAPI document without a kernel, for scripts: no port, no data directory. */
import { fastify } from 'fastify';
import { mount } from './http/mount.ts';
import type { AppServices } from './http/route.ts';
import { describe } from './openapi/document.ts';
import { ROUTES } from './routes/index.ts';

/** Returns the object that a kernel of this source answers, byte for byte, at /v1/openapi.json. */
export async function openapiDocument(): Promise<object> {
  const app = fastify();
  await describe(app, ROUTES);
  // Handlers alone use the services, and none is called here.
  mount(app, ROUTES, {} as AppServices);
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
