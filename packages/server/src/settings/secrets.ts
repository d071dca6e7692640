/** The secrets that this process knows: what it must never let anybody read back. */
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { childOf, unwrap } from './leaves.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that hold keys, whoever reads them. */
const KEY_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Every secret of the settings and of the environment, exactly as it stands there. */
export function secretsOf(settings: Settings, environment: Environment): string[] {
  const providers = Object.values(settings.llm.providers);
  const named = new Set(providers.map(({ api_key_env }) => api_key_env));
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value && (named.has(name) || KEY_NAME.test(name)) ? [value] : [],
  );
  // Longest first: one that holds another is hidden whole.
  return [...new Set([...secretValues(settings, Settings), ...variables])].sort(
    (a, b) => b.length - a.length,
  );
}

/** What the schema marks as secret; of an address with a password the password too. */
function secretValues(value: unknown, schema: z.core.$ZodType | undefined): string[] {
  if (typeof value === 'string') {
    if (!schema || !unwrap(schema).secret) return [];
    const password = URL.canParse(value) ? new URL(value).password : '';
    return password === '' ? [value] : [value, password];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => secretValues(child, schema && childOf(schema, key)));
}
