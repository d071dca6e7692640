/** The secrets that this process knows: what it must never let anybody read back. */
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { childOf, unwrap } from './leaves.ts';
import { changeInAddresses, changeInArgument } from './embedded-secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that hold keys, whoever reads them. */
const KEY_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** What is shorter would be found inside of words. */
const SHORTEST_SECRET = 6;

/** Those that can be hidden wherever they stand. */
export const worthHiding = (secrets: readonly string[]): string[] =>
  secrets.filter(secret => secret.length >= SHORTEST_SECRET);

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

/**
 * What the schema marks as secret, and what stands as a secret in an address or an argument. Each also without what is
 * around it: a server that is told `Bearer x` may complain of x.
 */
function secretValues(value: unknown, schema: z.core.$ZodType | undefined): string[] {
  if (typeof value === 'string') {
    const secret = schema && unwrap(schema).secret;
    const inside: string[] = [];
    changeInAddresses(value, found => {
      inside.push(...piecesOf(found));
      return found;
    });
    return secret ? [value, ...piecesOf(value), ...inside] : inside;
  }
  if (typeof value !== 'object' || value === null) return [];
  const spoken: string[] = [];
  if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      if (typeof entry !== 'string') return;
      changeInArgument(entry, value[index - 1], found => {
        spoken.push(...piecesOf(found));
        return found;
      });
    });
  }
  return [
    ...spoken,
    ...Object.entries(value).flatMap(([key, child]) => secretValues(child, schema && childOf(schema, key))),
  ];
}

/** The secret of `user:secret` and of `Bearer secret`, as it is written and as it is meant. A number hides no word. */
function piecesOf(text: string): string[] {
  const bare = text.replace(/^[^\s:]*:(?!\/\/)|^[a-z]+ +/i, '');
  return [text, bare, decoded(bare)].filter(piece => piece !== '' && !/^\d+$/.test(piece));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
