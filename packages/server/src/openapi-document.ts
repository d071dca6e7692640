/** Builds the OpenAPI document without a kernel, for scripts: no port, no data directory. */
import { buildDocument } from './openapi/document.ts';
import { ROUTES } from './routes/index.ts';

/** Returns the object that a kernel of this source serves, byte for byte, at /v1/openapi.json. */
export const openapiDocument = (): object => buildDocument(ROUTES);
