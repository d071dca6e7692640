/** Collects the secrets of this process, for redaction. */
import { isAbsolute } from 'node:path';
import { isSecretValue, Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import { changeInAddresses, changeInArgument } from './embedded-secrets.ts';
import { findChildSchema, unwrap } from './leaves.ts';
import type { EnvironmentVariables } from './overrides.ts';

/** Names of variables that contain secrets. */
const KEY_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Minimum length: a shorter secret would match inside of words. */
const SHORTEST_SECRET = 6;

/** Returns the secrets that are long enough to redact in any text. */
export const worthHiding = (secrets: readonly string[]): string[] =>
  secrets.filter(secret => secret.length >= SHORTEST_SECRET);

/** Returns every secret of the settings and the environment, unchanged, longest first. */
export function collectSecrets(settings: Settings, environment: EnvironmentVariables): string[] {
  const providers = Object.values(settings.llm.providers);
  const named = new Set(providers.map(({ api_key_env }) => api_key_env));
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    // A path, such as the one of a key file, is not the key.
    value && (named.has(name) || (KEY_NAME.test(name) && !isAbsolute(value))) ? [value] : [],
  );
  // Longest first, so that a secret that contains another is redacted completely.
  return [...new Set([...secretValues(settings, Settings), ...variables])].sort(
    (a, b) => b.length - a.length,
  );
}

/**
 * Returns secret settings, and secrets inside of addresses and arguments. Includes parts, because a server that gets
 * `Bearer x` may quote x in an error.
 * @param name of the header or variable with this value
 */
function secretValues(value: unknown, schema: z.core.$ZodType | undefined, name?: string): string[] {
  if (typeof value === 'string') {
    const secret = schema && unwrap(schema).secret && (name === undefined || isSecretValue(name, value));
    const inside: string[] = [];
    changeInAddresses(value, found => {
      inside.push(...splitSecret(found));
      return found;
    });
    return secret ? [value, ...splitSecret(value), ...inside] : inside;
  }
  if (typeof value !== 'object' || value === null) return [];
  const inArguments: string[] = [];
  if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      if (typeof entry !== 'string') return;
      changeInArgument(entry, value[index - 1], found => {
        inArguments.push(...splitSecret(found));
        return found;
      });
    });
  }
  // Section keys are fixed. Map keys (headers, variables) are the user's, and not all values are secret.
  const isMap = schema !== undefined && unwrap(schema).schema instanceof z.core.$ZodRecord;
  return [
    ...inArguments,
    ...Object.entries(value).flatMap(([key, child]) =>
      secretValues(child, schema && findChildSchema(schema, key), isMap ? key : undefined),
    ),
  ];
}

/**
 * Returns `Bearer secret` or `user:secret`, and the secret in it, encoded and decoded. Skips numbers, which occur in many
 * texts.
 */
function splitSecret(text: string): string[] {
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
