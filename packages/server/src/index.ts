/** The server: HTTP over the kernel, settings, composition. */
export { type RunningServer, startServer } from './compose.ts';
export { openapiDocument } from './openapi/of-routes.ts';
export { redact } from './redact.ts';
export { loadSettings } from './settings/load.ts';
export { SettingsError } from './settings/settings-error.ts';
