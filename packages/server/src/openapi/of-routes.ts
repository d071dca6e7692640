/** The OpenAPI document of all routes for whoever wants it without a kernel: no port, no data directory. */
import { fastify } from 'fastify';
import { mount } from '../mount.ts';
import type { AppParts } from '../route.ts';
import { ROUTES } from '../routes/index.ts';
import { describe } from './document.ts';

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
