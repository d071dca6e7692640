/** Providers as the settings name them, with their keys found. */
import type { Log } from '@chat-kernel/kernel';
import type { ProviderSettings } from '@chat-kernel/protocol';
import { type ProviderEnvironment, type ProviderFacts, usualKey, vendorOf } from './found.ts';
import { KINDS } from './kinds/index.ts';
import type { ProviderKind } from './wire/kind.ts';

export interface ConfiguredProvider extends ProviderFacts {
  /** False where the key is missing: the models are known but can't be used. */
  usable: boolean;
}

/** Leaves out kind demo, which needs no connection. Logs which providers lack their key. */
export function configuredProviders(
  providers: Record<string, ProviderSettings>,
  env: ProviderEnvironment,
  log: Log,
): ConfiguredProvider[] {
  return Object.entries(providers).flatMap(([name, settings]) =>
    settings.kind === 'demo' ? [] : [configured(name, settings, KINDS[settings.kind], env, log)],
  );
}

function configured(
  name: string,
  settings: ProviderSettings,
  kind: ProviderKind,
  env: ProviderEnvironment,
  log: Log,
): ConfiguredProvider {
  const { base_url, headers } = settings;
  const named = settings.api_key ?? (settings.api_key_env ? env[settings.api_key_env] : usualKey(env, kind));
  const key = named?.trim();
  const usable = isUsable(kind, settings, key);
  if (!usable) {
    const variable = settings.api_key_env
      ? `${settings.api_key_env} is not set`
      : 'give it api_key or api_key_env';
    log.warn({ provider: name }, `the provider ${name} has no key and cannot be used: ${variable}`);
  }
  const vendor = vendorOf(kind, base_url);
  return {
    access: {
      name,
      ...(base_url && { base_url }),
      ...(key && { api_key: key }),
      ...(headers && { headers }),
      ...(settings.package && { package: settings.package }),
    },
    kind,
    timeoutSecs: settings.timeout_secs,
    usable,
    ...(vendor && { vendor }),
  };
}

/** A key that the settings name must be there; where they name none, only a maker's address insists on one. */
function isUsable(kind: ProviderKind, settings: ProviderSettings, key: string | undefined): boolean {
  if (key) return true;
  if (settings.api_key_env) return false;
  if (kind.maker === undefined) return true;
  return settings.base_url !== undefined || settings.headers !== undefined;
}
