/** Providers as the settings name them, with their keys found. */
import type { Log } from '@chat-kernel/kernel';
import type { ProviderSettings } from '@chat-kernel/protocol';
import { type Environment, type ProviderFacts, usualKey, vendorOf } from './found.ts';
import type { WiredKind } from './kinds/index.ts';

export interface ConfiguredProvider extends ProviderFacts {
  /** False: it has no key; its models are known but can't be used. */
  usable: boolean;
}

/** Kind demo is not among them: it needs no connection. Says in the log which providers lack their key. */
export function configuredProviders(
  providers: Record<string, ProviderSettings>,
  env: Environment,
  log: Log,
): ConfiguredProvider[] {
  return Object.entries(providers).flatMap(([name, settings]) =>
    settings.kind === 'demo' ? [] : [configured(name, settings, settings.kind, env, log)],
  );
}

function configured(
  name: string,
  settings: ProviderSettings,
  kind: WiredKind,
  env: Environment,
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

/** A key that was named must be there; without a name, only the makers' own addresses insist on one. */
function isUsable(kind: WiredKind, settings: ProviderSettings, key: string | undefined): boolean {
  if (key) return true;
  if (settings.api_key_env) return false;
  if (kind === 'openai-compatible' || kind === 'ai-sdk') return true;
  return settings.base_url !== undefined || settings.headers !== undefined;
}
