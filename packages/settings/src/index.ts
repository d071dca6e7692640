/** Loads, checks and redacts settings. */
export { bytesSetting } from './bytes.ts';
export { checkSettings, isLoopback } from './check.ts';
export { effective, socketDirectory } from './effective.ts';
export { type LoadedSettings, loadOwnSettings, loadSettings } from './load.ts';
export type { EnvironmentVariables, Flags } from './overrides.ts';
export { showsSecrets } from './private-settings.ts';
export { REDACTED, redact, redactUrl } from './redact.ts';
export { collectSecrets, worthHiding } from './secrets.ts';
export { SettingsError } from './settings-error.ts';
