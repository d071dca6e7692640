/** Sends imported conversations to a running kernel, or writes them to the data directly. */
import { text } from 'node:stream/consumers';
import { offlineImports, STORE_HOOKS } from '@chat-kernel/features';
import { systemClock } from '@chat-kernel/kernel';
import { send } from '@chat-kernel/net';
import { ImportChat, type ImportedChat, type Problem, type Settings } from '@chat-kernel/protocol';
import { logDestination, openLog } from '@chat-kernel/server/log';
import { mismatch } from '@chat-kernel/server/shared';
import { collectSecrets } from '@chat-kernel/settings';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { openStore } from '@chat-kernel/storage';

export interface ImportTarget {
  /** For the user: `the kernel at ADDRESS`, `the data in DIRECTORY`. */
  where: string;
  /** @throws Refused if this conversation is rejected; any other error ends the import */
  add(chat: ImportChat, dryRun: boolean): Promise<ImportedChat>;
  close(): Promise<void>;
}

/** Thrown when the kernel rejects a conversation. The message says why. */
export class Refused extends Error {}

/** Error codes that reject a single conversation. */
const OF_THE_CONVERSATION: readonly (string | undefined)[] = [
  'invalid_value',
  'schema_mismatch',
  'not_json',
  'body_too_large',
];

export function overHttp({ url, token }: { url: string; token: string | undefined }): ImportTarget {
  // bounded: an address of the user.
  const address = url.replace(/\/+$/, '');
  const headers: Record<string, string> = token === undefined ? {} : { 'x-service-token': token };
  return {
    where: `the kernel at ${address}`,
    async add(chat, dryRun) {
      const path = dryRun ? '/v1/import?dry_run=true' : '/v1/import';
      const { status, body } = await postJson(`${address}${path}`, headers, chat).catch(error => {
        throw new CommandError(
          `The kernel at ${address} does not answer (${errorMessage(error)}). ` +
            'Run this command again when it does. Conversations are not imported twice.',
        );
      });
      if (status === 200) return body as ImportedChat;
      const { code, detail = `it answered with status ${status}` } = (body ?? {}) as Partial<Problem>;
      if (OF_THE_CONVERSATION.includes(code)) throw new Refused(detail);
      throw new CommandError(`The kernel at ${address} rejected the request: ${detail}`);
    },
    async close() {},
  };
}

/** A host with several IP addresses has an error for each, without a message of its own. */
const errorMessage = (error: Error): string =>
  error instanceof AggregateError
    ? (error.errors as Error[]).map(({ message }) => message).join(', ')
    : error.message;

/** Opens the store of these settings, which no kernel may be using. @throws StoreError */
export async function intoStore(settings: Settings): Promise<ImportTarget> {
  const { data_dir, database } = settings;
  const log = openLog('warn', collectSecrets(settings, process.env), logDestination(data_dir));
  const store = await openStore({
    data_dir,
    url: database.url,
    hooks: STORE_HOOKS,
    log,
    clock: systemClock,
  });
  const imports = offlineImports(store, systemClock);
  return {
    where: database.url === null ? `the data in ${data_dir}` : 'the database of the settings',
    async add(chat, dryRun) {
      try {
        // Same as a kernel does over HTTP, so that the same conversation has the same fingerprint.
        const { data, error } = ImportChat.safeParse(chat);
        if (error) throw mismatch('body', error.issues);
        return await imports.add(data, { dryRun });
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        if (OF_THE_CONVERSATION.includes(code)) throw new Refused(message);
        throw error;
      }
    },
    close: () => store.close(),
  };
}

interface Answer {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
}

/**
 * Sends a JSON POST request over a kept connection. Does not use Node's fetch, which takes 16 MB and whose garbage is
 * collected late.
 * @throws Error of the network without an answer
 */
async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  value: unknown,
): Promise<Answer> {
  const answer = await send(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(value),
    keep: true,
  });
  return { status: answer.status, body: parsed(await text(answer.body)) };
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}
