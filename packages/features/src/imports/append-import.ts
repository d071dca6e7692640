/**
 * Appends the new messages of a conversation that has continued in its original program since its import. The chat must
 * still end as it was imported, because two different continuations cannot be put in order.
 */
import type { Store, StoredMessage } from '@chat-kernel/kernel';
import type { ImportChat, ImportedChat, ModelSpend } from '@chat-kernel/protocol';
import { buildAppend } from './build-import.ts';
import { countBefore } from './fingerprint.ts';
import type { ImportHost } from './import-host.ts';
import type { ImportRecord } from './records.ts';
import type { ImportStore } from './store.ts';

/** A conversation imported earlier, with its current fingerprint. */
export interface Known {
  body: ImportChat;
  record: ImportRecord;
  fingerprint: string;
}
export interface ImportStores extends Pick<Store, 'chats' | 'messages' | 'spend'> {
  imports: Pick<ImportStore, 'create' | 'find' | 'grow'>;
}
interface GrowthServices {
  stores: ImportStores;
  host: ImportHost;
}
type Outcome = Pick<ImportedChat, 'status' | 'appended' | 'reason'>;

/** @param dryRun whether to only report the outcome @throws KernelError invalid_value */
export async function appendImport(
  known: Known,
  dryRun: boolean,
  { stores, host }: GrowthServices,
): Promise<Outcome> {
  const { body, record } = known;
  const { chat_id } = record;
  const count = await countBefore(body, record.fingerprint);
  if (count === undefined) return { status: 'changed', reason: 'conversation_changed' };
  if (dryRun) return (await asImported(known, count, stores)) ? grown(known, count) : CHAT_CHANGED;
  try {
    return await host.whileIdle(chat_id, async held => {
      const stored = await asImported(known, count, stores);
      const chat = await stores.chats.get(chat_id);
      if (stored === undefined || chat === undefined) return CHAT_CHANGED;
      const growth = {
        ...(await buildAppend(
          body,
          chat,
          stored.map(({ id }) => id),
        )),
        record: { ...record, fingerprint: known.fingerprint },
        before: record.fingerprint,
        count,
        spend: spentMore(body.usage ?? [], await stores.spend.list(chat_id)),
        held,
      };
      if (!(await stores.imports.grow(growth))) return CHAT_CHANGED;
      host.forgetHistory(chat_id);
      host.events.chatUpdated({ ...chat, ...growth.changes });
      return grown(known, count);
    });
  } catch (error) {
    if (!isBusy(error)) throw error;
    return { status: 'changed', reason: 'busy' };
  }
}

const CHAT_CHANGED: Outcome = { status: 'changed', reason: 'chat_changed' };

const grown = ({ body }: Known, count: number): Outcome => ({
  status: 'grown',
  appended: body.messages.length - count,
});

/** The messages of the chat; undefined if they differ from the imported ones, or if one is queued. */
async function asImported(
  { body, record: { chat_id } }: Known,
  count: number,
  { messages }: Pick<Store, 'messages'>,
): Promise<StoredMessage[] | undefined> {
  const stored = await messages.listFrom(chat_id, 1);
  const isSame =
    stored.length === count &&
    stored.every(
      // Stored content never changes, so only the positions of the messages are compared.
      ({ turn_id, created_at }, n) => turn_id === null && created_at === body.messages[n]?.created_at,
    );
  return isSame && (await messages.listWaiting(chat_id)).length === 0 ? stored : undefined;
}

/** Returns what an export reports as used beyond its earlier report. */
function spentMore(now: readonly ModelSpend[], before: readonly ModelSpend[]): ModelSpend[] {
  return now.map(row => {
    const old = before.find(({ model }) => model === row.model);
    if (old === undefined) return row;
    const more = (name: Exclude<keyof ModelSpend, 'model' | 'cost_usd'>) =>
      Math.max(0, row[name] - old[name]);
    const { cost_usd } = row;
    return {
      model: row.model,
      prompt_tokens: more('prompt_tokens'),
      completion_tokens: more('completion_tokens'),
      reasoning_tokens: more('reasoning_tokens'),
      cached_tokens: more('cached_tokens'),
      turns: more('turns'),
      cost_usd: cost_usd === null || old.cost_usd === null ? null : Math.max(0, cost_usd - old.cost_usd),
    };
  });
}

const isBusy = (error: unknown): boolean =>
  ['turn_running', 'kernel_away', 'fenced'].includes((error as { code?: string }).code ?? '');
