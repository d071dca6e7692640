/** Defines the secrets with which every kernel of the tests is configured, and the check that they never leak. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';

type Tree = z.input<typeof Settings>;

/**
 * At both ends of every secret, so that the check also finds a part of one. It has only letters and digits, so that no
 * encoding changes it.
 */
const MARK = 'Qh7sVx2KmZp9';

/** Returns a secret that contains the name of its location. */
export const secretOf = (place: string): string => `${MARK}${place.replace(/[^a-z]/gi, '')}${MARK}`;

/** The environment of the kernel: a key that settings name, and a key that no setting names. */
export const ENVIRONMENT = { HARNESS_PROVIDER: secretOf('api_key_env'), HARNESS_TOKEN: secretOf('variable') };

/**
 * Returns a settings tree with a secret in each place that can have one; providers, modules and guests stay as given.
 * @param named whether the key of the scripted provider is in the environment
 */
export function withSecrets(tree: Tree, { named }: { named: boolean }): Tree {
  const own = secretOf('api_key');
  const providers = changed(tree.llm?.providers, ({ api_key, headers, ...provider }) => ({
    ...provider,
    // Some tests use a provider without a key.
    ...(api_key !== undefined &&
      (named && api_key === own ? { api_key_env: 'HARNESS_PROVIDER' } : { api_key: own })),
    headers: { ...headers, 'x-harness': secretOf('provider header') },
  }));
  const modules = changed(tree.modules?.servers, server =>
    server.command === undefined
      ? server
      : { ...server, env: { ...server.env, HARNESS_MODULE: secretOf('module env') } },
  );
  const guests = changed(tree.mcp?.servers, server =>
    server.command === undefined
      ? { ...server, headers: { ...server.headers, 'x-harness': secretOf('guest header') } }
      : { ...server, env: { ...server.env, HARNESS_GUEST: secretOf('guest env') } },
  );
  return {
    ...tree,
    ...(providers && { llm: { ...tree.llm, providers } }),
    ...(modules && { modules: { ...tree.modules, servers: modules } }),
    ...(guests && { mcp: { ...tree.mcp, servers: guests } }),
  };
}

/**
 * Throws if the text contains a secret, or an end of one. `where` names the source of the text for the error message.
 */
export function refuseSecrets(said: string | Buffer, where: string): void {
  const at = said.indexOf(MARK);
  if (at === -1) return;
  const excerpt = said.slice(Math.max(0, at - 80), at + 80);
  throw new Error(`${where} shows a secret: ${excerpt}`);
}

/** Does the same for text that arrives in pieces: two of them may share a secret. */
export function secretWatch(where: string): (piece: string) => void {
  let tail = '';
  return piece => {
    refuseSecrets(tail + piece, where);
    tail = (tail + piece).slice(1 - MARK.length);
  };
}

/**
 * Throws if a file below the directory contains a secret. Files may disappear during the check: a test may have removed
 * the directory, and a module that briefly outlives its kernel closes its database and removes a listed file.
 */
export function refuseStoredSecrets(directory: string): void {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = bytesOf(path);
    if (bytes) refuseSecrets(bytes, path);
  }
}

/** Undefined: the file no longer exists. */
function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

function changed<Entry>(
  entries: Record<string, Entry> | undefined,
  change: (entry: Entry) => Entry,
): Record<string, Entry> | undefined {
  return entries && Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, change(entry)]));
}
