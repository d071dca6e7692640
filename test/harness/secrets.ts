/** Secrets that every kernel of the tests is configured with, and the one check that none of them is ever seen again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';

type Tree = z.input<typeof Settings>;

/** In every secret, at both ends, so that a piece is found as well. Letters and digits alone: no encoding changes it. */
const MARK = 'Qh7sVx2KmZp9';

/** A secret that says in its middle where it is kept. */
export const secretOf = (place: string): string => `${MARK}${place.replace(/[^a-z]/gi, '')}${MARK}`;

/** The kernel's environment: the key that settings name, and a key that no setting names. */
export const ENVIRONMENT = { HARNESS_PROVIDER: secretOf('api_key_env'), HARNESS_TOKEN: secretOf('variable') };

/**
 * A settings tree with a secret in each place that can have one: the providers, modules and guests stay as they are
 * wanted. @param named the key of the scripted provider stands in the environment
 */
export function withSecrets(tree: Tree, { named }: { named: boolean }): Tree {
  const own = secretOf('api_key');
  const providers = changed(tree.llm?.providers, ({ api_key, headers, ...provider }) => ({
    ...provider,
    // Some tests are about a provider that lacks its key.
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

/** Throws where it holds a secret, or an end of one. `where`: what was looked at, for the person who reads that. */
export function refuseSecrets(said: string | Buffer, where: string): void {
  const at = said.indexOf(MARK);
  if (at === -1) return;
  const excerpt = said.slice(Math.max(0, at - 80), at + 80);
  throw new Error(`${where} shows a secret: ${excerpt}`);
}

/** The same for what comes in pieces: a secret may stand across two of them. */
export function secretWatch(where: string): (piece: string) => void {
  let tail = '';
  return piece => {
    refuseSecrets(tail + piece, where);
    tail = (tail + piece).slice(1 - MARK.length);
  };
}

/** Throws where a file below the directory holds a secret. A test may have removed it by then. */
export function refuseStoredSecrets(directory: string): void {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    refuseSecrets(readFileSync(path), path);
  }
}

function changed<Entry>(
  entries: Record<string, Entry> | undefined,
  change: (entry: Entry) => Entry,
): Record<string, Entry> | undefined {
  return entries && Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, change(entry)]));
}
