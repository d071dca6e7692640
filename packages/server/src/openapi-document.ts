/** The OpenAPI document of all routes for whoever wants it without a kernel: no port, no data directory. */
import { fastify } from 'fastify';
import { mount } from './http/mount.ts';
import type { AppParts } from './http/route.ts';
import { describe } from './openapi/document.ts';
import { ROUTES } from './routes/index.ts';

/** Byte for byte what a kernel of this source answers at /v1/openapi.json, as an object. */
export async function openapiDocument(): Promise<object> {
  const app = fastify();
  await describe(app, ROUTES);
  // Only handlers use the parts, and nobody asks this application anything but how it is described.
  mount(app, ROUTES, {} as AppParts);
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
