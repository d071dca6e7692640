/** Serves the kernel over HTTP, and composes all packages. */
import { buildDocument } from './openapi/document.ts';
import { ROUTES } from './routes/index.ts';

export { type RunningServer, startServer } from './compose.ts';

/** For scripts, without a kernel: the object that a kernel of this source serves, byte for byte, at /v1/openapi.json. */
export const openapiDocument = (): object => buildDocument(ROUTES);
