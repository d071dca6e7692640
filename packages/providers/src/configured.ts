/** Resolves the configured providers and their keys. */
import type { ProviderSettings } from '@chat-kernel/protocol';
import { findVendor, type ProviderEnvironment, type ProviderFacts, usualKey } from './discovery.ts';
import { KINDS } from './kinds/index.ts';
import type { TellProblem } from './problem.ts';
import { parseAddress } from './wire/endpoint.ts';
import type { ProviderKind } from './wire/kind.ts';

export interface ConfiguredProvider extends ProviderFacts {
  /** False if the key is missing: the models are known but cannot be used. */
  usable: boolean;
}

/** Omits kind demo, which needs no connection. Reports which providers lack their key. */
export function configuredProviders(
  providers: Record<string, ProviderSettings>,
  env: ProviderEnvironment,
  tell: TellProblem,
): ConfiguredProvider[] {
  return Object.entries(providers).flatMap(([name, settings]) =>
    settings.kind === 'demo' ? [] : [configured(name, settings, KINDS[settings.kind], env, tell)],
  );
}

function configured(
  name: string,
  settings: ProviderSettings,
  kind: ProviderKind,
  env: ProviderEnvironment,
  tell: TellProblem,
): ConfiguredProvider {
  const { headers } = settings;
  const address = settings.base_url === undefined ? {} : parseAddress(settings.base_url);
  const named = settings.api_key ?? (settings.api_key_env ? env[settings.api_key_env] : usualKey(env, kind));
  const key = named?.trim();
  const usable = isUsable(kind, settings, key);
  if (!usable) {
    const { api_key_env } = settings;
    const variable = api_key_env ? `${api_key_env} is not set` : 'give it api_key or api_key_env';
    tell({
      provider: name,
      sentence: `the provider ${name} has no key and cannot be used: ${variable}`,
      advice: api_key_env
        ? `set ${api_key_env} in the environment of the kernel`
        : `name the variable of its key in llm.providers.${name}.api_key_env`,
    });
  }
  const vendor = findVendor(kind, address.base_url);
  return {
    access: {
      name,
      ...address,
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

/** A key that the settings name must exist; otherwise only the vendor's own address requires one. */
function isUsable(kind: ProviderKind, settings: ProviderSettings, key: string | undefined): boolean {
  if (key) return true;
  if (settings.api_key_env) return false;
  if (kind.maker === undefined) return true;
  return settings.base_url !== undefined || settings.headers !== undefined;
}
