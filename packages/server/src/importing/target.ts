/** Where imported conversations go: to a kernel that runs, or into the data of one that does not. */
import { Imports, systemClock } from '@chat-kernel/kernel';
import type { ImportChat, ImportedChat, Problem, Settings } from '@chat-kernel/protocol';
import { openStore } from '@chat-kernel/storage';
import { secretsOf } from '../settings/secrets.ts';
import { openLog } from '../start/log.ts';
import { logDestination } from '../start/log-destination.ts';
import { CommandError } from '../start/start-failure.ts';

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
  return {
    async add(chat, dryRun) {
      const response = await fetch(`${address}/v1/import${dryRun ? '?dry_run=true' : ''}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { 'x-service-token': token }) },
        body: JSON.stringify(chat),
      }).catch(error => {
        throw new CommandError(
          `The kernel at ${address} does not answer (${(error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : (error as Error).message}). ` +
            'Call this again once it does: what has come is not imported twice.',
        );
      });
      if (response.ok) return (await response.json()) as ImportedChat;
      const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
      const { code, detail = `it answers ${response.status}` } = problem;
      if (code !== undefined && OF_THE_CONVERSATION.includes(code)) throw new Refused(detail);
      throw new CommandError(`The kernel at ${address} refuses: ${detail}`);
    },
    async close() {},
  };
}

/** Opens the store of these settings, which no kernel may have then. @throws StoreError */
export async function intoStore(settings: Settings): Promise<ImportTarget> {
  const { data_dir, database } = settings;
  const log = openLog('warn', secretsOf(settings, process.env), logDestination(data_dir));
  const store = await openStore({ data_dir, url: database.url, log, clock: systemClock });
  const imports = new Imports(store, systemClock);
  return {
    async add(chat, dryRun) {
      try {
        return await imports.add(chat, { dryRun });
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        if (code !== undefined && OF_THE_CONVERSATION.includes(code)) throw new Refused(message);
        throw error;
      }
    },
    close: () => store.close(),
  };
}
