/**
 * A conversation that has gone on at its old place since it was imported: its new messages are appended to its chat, as
 * long as that still ends as it was imported. Two ends of one talk cannot be put in a row.
 */
import type { ImportChat, ImportedChat, ModelSpend } from '@chat-kernel/protocol';
import type { ImportRecord, Store, StoredMessage } from '../ports/index.ts';
import type { ChatKeeper } from './chat-keeper.ts';
import { countBefore } from './fingerprint.ts';
import { growthOf } from './made-import.ts';

/** A conversation that came before, with its fingerprint of now. */
export interface Known {
  body: ImportChat;
  record: ImportRecord;
  fingerprint: string;
}
interface GrowthServices {
  store: Pick<Store, 'imports' | 'chats' | 'messages' | 'spend'>;
  keeper: ChatKeeper;
}
type Outcome = Pick<ImportedChat, 'status' | 'appended' | 'reason'>;

/** @param dryRun whether to say only what would become of it @throws KernelError invalid_value */
export async function takeGrowth(
  known: Known,
  dryRun: boolean,
  { store, keeper }: GrowthServices,
): Promise<Outcome> {
  const { body, record } = known;
  const { chat_id } = record;
  const count = await countBefore(body, record.fingerprint);
  if (count === undefined) return { status: 'changed', reason: 'conversation_changed' };
  if (dryRun) return (await asImported(known, count, store)) ? grown(known, count) : CHAT_CHANGED;
  try {
    return await keeper.whileIdle(chat_id, async epoch => {
      const stored = await asImported(known, count, store);
      const chat = await store.chats.get(chat_id);
      if (stored === undefined || chat === undefined) return CHAT_CHANGED;
      const growth = {
        ...growthOf(
          body,
          chat,
          stored.map(({ id }) => id),
        ),
        record: { ...record, fingerprint: known.fingerprint },
        before: record.fingerprint,
        count,
        spend: spentMore(body.usage ?? [], await store.spend.list(chat_id)),
        epoch,
      };
      if (!(await store.imports.grow(growth))) return CHAT_CHANGED;
      keeper.grown({ ...chat, ...growth.changes });
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

/** The messages of the chat; undefined where they are not those that were imported, or one waits. */
async function asImported(
  { body, record: { chat_id } }: Known,
  count: number,
  { messages }: Pick<Store, 'messages'>,
): Promise<StoredMessage[] | undefined> {
  const stored = await messages.listFrom(chat_id, 1);
  const isSame =
    stored.length === count &&
    stored.every(
      // What is stored never changes: only which messages stand there.
      ({ turn_id, created_at }, n) => turn_id === null && created_at === body.messages[n]?.created_at,
    );
  return isSame && (await messages.listWaiting(chat_id)).length === 0 ? stored : undefined;
}

/** What an export says that it has used, beyond what it said before. */
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
