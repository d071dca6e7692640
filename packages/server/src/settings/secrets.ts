/** The secrets that this process knows and nobody may read back. */
import { isSecretValue, Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import { changeInAddresses, changeInArgument } from './embedded-secrets.ts';
import { childOf, unwrap } from './leaves.ts';
import type { EnvironmentVariables } from './overrides.ts';

/** Names of variables that hold keys, for whichever program. */
const KEY_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Characters. A shorter secret would be found inside of words. */
const SHORTEST_SECRET = 6;

/** Returns the secrets that are long enough to be hidden wherever they stand. */
export const worthHiding = (secrets: readonly string[]): string[] =>
  secrets.filter(secret => secret.length >= SHORTEST_SECRET);

/** Returns every secret of the settings and of the environment, exactly as it stands there, the longest first. */
export function secretsOf(settings: Settings, environment: EnvironmentVariables): string[] {
  const providers = Object.values(settings.llm.providers);
  const named = new Set(providers.map(({ api_key_env }) => api_key_env));
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value && (named.has(name) || KEY_NAME.test(name)) ? [value] : [],
  );
  // A secret that holds another is hidden whole, because it comes first.
  return [...new Set([...secretValues(settings, Settings), ...variables])].sort(
    (a, b) => b.length - a.length,
  );
}

/**
 * Returns what the schema marks as secret, and each secret inside an address or an argument; also without the words
 * around it: a server that gets `Bearer x` may complain of x.
 * @param name of the header or variable, where the value is one's
 */
function secretValues(value: unknown, schema: z.core.$ZodType | undefined, name?: string): string[] {
  if (typeof value === 'string') {
    const secret = schema && unwrap(schema).secret && (name === undefined || isSecretValue(name, value));
    const inside: string[] = [];
    changeInAddresses(value, found => {
      inside.push(...piecesOf(found));
      return found;
    });
    return secret ? [value, ...piecesOf(value), ...inside] : inside;
  }
  if (typeof value !== 'object' || value === null) return [];
  const inArguments: string[] = [];
  if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      if (typeof entry !== 'string') return;
      changeInArgument(entry, value[index - 1], found => {
        inArguments.push(...piecesOf(found));
        return found;
      });
    });
  }
  // The names of a section are ours; those of a map (headers, variables) are the owner's, and not all of them keep secrets.
  const isMap = schema !== undefined && unwrap(schema).schema instanceof z.core.$ZodRecord;
  return [
    ...inArguments,
    ...Object.entries(value).flatMap(([key, child]) =>
      secretValues(child, schema && childOf(schema, key), isMap ? key : undefined),
    ),
  ];
}

/**
 * Returns `Bearer secret` or `user:secret`, and the secret in it, encoded and decoded. A number is left out: it would
 * be hidden in every text.
 */
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
