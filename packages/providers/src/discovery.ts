/** Discovers unconfigured providers: keys in the usual environment variables, and an Ollama on this machine. */
import type { ProviderSettings } from '@chat-kernel/protocol';
import type { Vendor } from './catalogue/index.ts';
import { KINDS } from './kinds/index.ts';
import { listOllama } from './listing.ts';
import type { ProviderAccess, ProviderKind } from './wire/kind.ts';

export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

/** A provider with a usable key, configured or discovered. */
export interface ProviderFacts {
  access: ProviderAccess;
  kind: ProviderKind;
  vendor?: Vendor;
  timeoutSecs: number;
  /** The names of its models, if they are known already. */
  models?: string[];
}

/** A discovered provider, with the settings that would configure it. */
export interface FoundProvider extends ProviderFacts {
  settings: Pick<ProviderSettings, 'kind' | 'base_url' | 'api_key_env'>;
}

type KindName = keyof typeof KINDS;

/** A service that is discovered by its key. */
interface KeyedService {
  name: string;
  variables: readonly string[];
  kind: KindName;
  vendor?: Vendor;
  base_url?: string;
}

/** The vendors' own services, named like their kind. */
const MAKERS: readonly KeyedService[] = (Object.keys(KINDS) as KindName[]).flatMap(name => {
  const { maker } = KINDS[name];
  return maker ? [{ name, kind: name, vendor: maker.vendor, variables: maker.key_variables }] : [];
});

/** A service with chat completions whose key is in NAME_API_KEY. */
const service = (name: string, base_url: string, vendor?: Vendor): KeyedService => ({
  name,
  variables: [`${name.toUpperCase()}_API_KEY`],
  kind: 'openai-compatible',
  base_url,
  ...(vendor && { vendor }),
});

/** Lists other services that are discovered by their keys, in order of preference. */
const OTHERS: readonly KeyedService[] = [
  service('xai', 'https://api.x.ai/v1', 'xai'),
  service('mistral', 'https://api.mistral.ai/v1', 'mistral'),
  service('deepseek', 'https://api.deepseek.com', 'deepseek'),
  service('groq', 'https://api.groq.com/openai/v1', 'groq'),
  service('openrouter', 'https://openrouter.ai/api/v1'),
];

const TIMEOUT_SECS = 300;

/**
 * Returns the providers whose keys or servers are found, in order of preference: the models of the first are the
 * default. Takes at most the 300 ms of Ollama's timeout.
 */
export async function findProviders(env: ProviderEnvironment): Promise<FoundProvider[]> {
  const found: FoundProvider[] = [];
  for (const { name, variables, kind, vendor, base_url } of [...MAKERS, ...OTHERS]) {
    const variable = variables.find(each => env[each]?.trim());
    if (variable === undefined) continue;
    const address = base_url === undefined ? {} : { base_url };
    found.push({
      access: { name, api_key: env[variable]?.trim() as string, ...address },
      kind: KINDS[kind],
      timeoutSecs: TIMEOUT_SECS,
      settings: { kind, api_key_env: variable, ...address },
      ...(vendor && { vendor }),
    });
  }
  const url = ollamaUrl(env.OLLAMA_HOST);
  const models = await listOllama(url);
  if (models.length > 0) {
    const base_url = `${url}/v1`;
    found.push({
      // Ollama lets a thinking model think unless a request forbids it.
      access: { name: 'ollama', base_url, off: 'none' },
      kind: KINDS['openai-compatible'],
      timeoutSecs: TIMEOUT_SECS,
      settings: { kind: 'openai-compatible', base_url },
      models,
    });
  }
  return found;
}

/** True if the settings already have this provider, under any name: the same address with the same key. */
export const isSame = (configured: ProviderFacts, found: ProviderFacts): boolean =>
  providerAddress(configured) === providerAddress(found) &&
  (configured.access.api_key ?? '') === (found.access.api_key ?? '');

const providerAddress = ({ access: { base_url }, vendor }: ProviderFacts): string =>
  base_url?.replace('//localhost', '//127.0.0.1') ?? vendor ?? '';

/** Returns the key of a configured provider without a key setting, from the usual variable of its kind. */
export const usualKey = (env: ProviderEnvironment, kind: ProviderKind): string | undefined =>
  keyIn(env, kind.maker?.key_variables ?? []);

/** Returns the vendor whose models a provider serves, by its kind or its address (see `parseAddress`). */
export function findVendor(kind: ProviderKind, base_url: string | undefined): Vendor | undefined {
  if (kind.maker) return kind.maker.vendor;
  return OTHERS.find(known => base_url !== undefined && known.base_url === base_url)?.vendor;
}

const keyIn = (env: ProviderEnvironment, variables: readonly string[]): string | undefined =>
  variables.map(variable => env[variable]?.trim()).find(key => key);

/** OLLAMA_HOST may be a host, a port, both, or an address. 0.0.0.0 is only for listening, so 127.0.0.1 replaces it. */
function ollamaUrl(host: string | undefined): string {
  const wanted = host?.trim() || '127.0.0.1';
  const whole = /^https?:\/\//.test(wanted) ? wanted : `http://${wanted.replace(/^:/, '127.0.0.1:')}`;
  if (!URL.canParse(whole)) return 'http://127.0.0.1:11434';
  const url = new URL(whole);
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname;
  const port = /:\d+\/?$/.test(whole) ? url.port || '80' : url.protocol === 'https:' ? '443' : '11434';
  return `${url.protocol}//${name}:${port}`;
}
