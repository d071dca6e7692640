/** The server: HTTP over the kernel, settings, composition. */
export { type RunningServer, startServer } from './compose.ts';
export { openapiDocument } from './openapi-document.ts';
export { loadSettings } from './settings/load.ts';
export { redact } from './settings/redact.ts';
export { SettingsError } from './settings/settings-error.ts';
