/** Serves the kernel over HTTP, and composes all packages. */
export { type RunningServer, startServer } from './compose.ts';
export { openapiDocument } from './openapi-document.ts';
