/** Providers that nobody configured: keys in the usual environment variables, and an Ollama on this machine. */
import type { Vendor } from './catalogue/index.ts';
import type { WiredKind } from './kinds/index.ts';
import { listOllama } from './listing.ts';
import type { Access } from './wire/wire.ts';

export type Environment = Record<string, string | undefined>;

/** A provider with a usable key, configured or found. */
export interface ProviderFacts {
  access: Access;
  kind: WiredKind;
  vendor?: Vendor;
  timeoutSecs: number;
  /** The names of its models, where they are known already. */
  models?: string[];
}

/** THE list of environment variables, strongest first: whose models come first is the default. */
const KEYS: { name: string; variables: string[]; kind: WiredKind; vendor?: Vendor; base_url?: string }[] = [
  { name: 'anthropic', variables: ['ANTHROPIC_API_KEY'], kind: 'anthropic', vendor: 'anthropic' },
  { name: 'openai', variables: ['OPENAI_API_KEY'], kind: 'openai', vendor: 'openai' },
  {
    name: 'google',
    variables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    kind: 'google',
    vendor: 'google',
  },
  {
    name: 'xai',
    variables: ['XAI_API_KEY'],
    kind: 'openai-compatible',
    vendor: 'xai',
    base_url: 'https://api.x.ai/v1',
  },
  {
    name: 'mistral',
    variables: ['MISTRAL_API_KEY'],
    kind: 'openai-compatible',
    vendor: 'mistral',
    base_url: 'https://api.mistral.ai/v1',
  },
  {
    name: 'deepseek',
    variables: ['DEEPSEEK_API_KEY'],
    kind: 'openai-compatible',
    vendor: 'deepseek',
    base_url: 'https://api.deepseek.com',
  },
  {
    name: 'groq',
    variables: ['GROQ_API_KEY'],
    kind: 'openai-compatible',
    vendor: 'groq',
    base_url: 'https://api.groq.com/openai/v1',
  },
  {
    name: 'openrouter',
    variables: ['OPENROUTER_API_KEY'],
    kind: 'openai-compatible',
    base_url: 'https://openrouter.ai/api/v1',
  },
];

const TIMEOUT_SECS = 300;

/** Everything that can be found; empty where there is nothing. Takes at most the 300 ms that Ollama has. */
export async function findProviders(env: Environment): Promise<ProviderFacts[]> {
  const found: ProviderFacts[] = [];
  for (const { name, variables, kind, vendor, base_url } of KEYS) {
    const api_key = keyIn(env, variables);
    if (api_key) {
      found.push({
        access: { name, api_key, ...(base_url && { base_url }) },
        kind,
        timeoutSecs: TIMEOUT_SECS,
        ...(vendor && { vendor }),
      });
    }
  }
  const url = ollamaUrl(env.OLLAMA_HOST);
  const models = await listOllama(url);
  if (models.length > 0) {
    found.push({
      // Ollama lets a model that can think do so unless it is told not to.
      access: { name: 'ollama', base_url: `${url}/v1`, off: 'none' },
      kind: 'openai-compatible',
      timeoutSecs: TIMEOUT_SECS,
      models,
    });
  }
  return found;
}

/** The key of a configured provider that names none: the usual variable of its kind. */
export const usualKey = (env: Environment, kind: WiredKind): string | undefined =>
  keyIn(env, KEYS.find(known => known.name === kind)?.variables ?? []);

/** Which vendor's models a provider serves, by its kind or its address. */
export function vendorOf(kind: WiredKind, base_url: string | undefined): Vendor | undefined {
  return KEYS.find(
    known => known.name === kind || (base_url && known.base_url === base_url.replace(/\/$/, '')),
  )?.vendor;
}

const keyIn = (env: Environment, variables: string[]): string | undefined =>
  variables.map(variable => env[variable]?.trim()).find(key => key);

/** OLLAMA_HOST may be a host, a port, both, or an address; 0.0.0.0 is what a server listens on, not an address. */
function ollamaUrl(host: string | undefined): string {
  const wanted = host?.trim() || '127.0.0.1';
  const whole = /^https?:\/\//.test(wanted) ? wanted : `http://${wanted.replace(/^:/, '127.0.0.1:')}`;
  if (!URL.canParse(whole)) return 'http://127.0.0.1:11434';
  const url = new URL(whole);
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname;
  const port = /:\d+\/?$/.test(whole) ? url.port || '80' : url.protocol === 'https:' ? '443' : '11434';
  return `${url.protocol}//${name}:${port}`;
}
