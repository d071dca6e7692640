/** Where imported conversations go: to a kernel that runs, or into the data of one that does not. */
import { Imports, systemClock } from '@chat-kernel/kernel';
import { ImportChat, type ImportedChat, type Problem, type Settings } from '@chat-kernel/protocol';
import { openStore } from '@chat-kernel/storage';
import { mismatch } from '../http/problems.ts';
import { secretsOf } from '../settings/secrets.ts';
import { openLog } from '../start/log.ts';
import { logDestination } from '../start/log-destination.ts';
import { CommandError } from '../start/start-failure.ts';
import { JsonPosts } from './json-posts.ts';

export interface ImportTarget {
  /** @throws Refused where this conversation cannot be taken; any other error ends the import */
  add(chat: ImportChat, dryRun: boolean): Promise<ImportedChat>;
  close(): Promise<void>;
}

/** A conversation that the kernel does not take. The message says why. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The codes by which a kernel says that it is the conversation that is wrong. */
const OF_THE_CONVERSATION = ['invalid_value', 'schema_mismatch', 'not_json', 'body_too_large'];

export function overHttp({ url, token }: { url: string; token: string | undefined }): ImportTarget {
  // bounded: an address of the owner.
  const address = url.replace(/\/+$/, '');
  const headers: Record<string, string> = token === undefined ? {} : { 'x-service-token': token };
  const imports = new JsonPosts(`${address}/v1/import`, headers);
  const previews = new JsonPosts(`${address}/v1/import?dry_run=true`, headers);
  return {
    async add(chat, dryRun) {
      const { status, body } = await (dryRun ? previews : imports).post(chat).catch(error => {
        throw new CommandError(
          `The kernel at ${address} does not answer (${wordsOf(error)}). ` +
            'Call this again once it does: what has come is not imported twice.',
        );
      });
      if (status === 200) return body as ImportedChat;
      const { code, detail = `it answers ${status}` } = (body ?? {}) as Partial<Problem>;
      if (code !== undefined && OF_THE_CONVERSATION.includes(code)) throw new Refused(detail);
      throw new CommandError(`The kernel at ${address} refuses: ${detail}`);
    },
    async close() {
      for (const posts of [imports, previews]) posts.close();
    },
  };
}

/** An address with several numbers has an error for each of them, and no words of its own. */
const wordsOf = (error: Error): string =>
  error instanceof AggregateError
    ? (error.errors as Error[]).map(({ message }) => message).join(', ')
    : error.message;

/** Opens the store of these settings, which no kernel may have then. @throws StoreError */
export async function intoStore(settings: Settings): Promise<ImportTarget> {
  const { data_dir, database } = settings;
  const log = openLog('warn', secretsOf(settings, process.env), logDestination(data_dir));
  const store = await openStore({ data_dir, url: database.url, log, clock: systemClock });
  const imports = new Imports(store, systemClock);
  return {
    async add(chat, dryRun) {
      try {
        // As a kernel does that takes it over HTTP: so the same conversation has one fingerprint.
        const { data, error } = ImportChat.safeParse(chat);
        if (error) throw mismatch('body', error.issues);
        return await imports.add(data, { dryRun });
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        if (code !== undefined && OF_THE_CONVERSATION.includes(code)) throw new Refused(message);
        throw error;
      }
    },
    close: () => store.close(),
  };
}
