/** Lists the versions of a chat and switches between them (EDIT-2). */
import {
  type ChatVersion,
  type ChatVersions,
  KernelError,
  PREVIEW_CHARS,
  type VersionFork,
} from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { isId } from '../base/ids.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import type { Ownership } from '../fleet/ownership.ts';
import type { Histories } from '../history/histories.ts';
import { type ChatRecord, type Clock, type ListedVersion, type Store, timestamp } from '../ports/index.ts';

/** One entry for each place with versions. The present content of the place is one of them, although it is not stored so. */
export async function listVersions(
  chatId: string,
  store: Pick<Store, 'messages' | 'turns' | 'versions'>,
): Promise<ChatVersions> {
  const stored = await store.versions.list(chatId);
  const sizes = new Map(stored.map(({ id, position, messages }) => [id, position + messages]));
  const places = Map.groupBy(stored, ({ inside, position }) => `${inside} ${position}`);
  const [last] = await store.messages.list(chatId, { limit: 1 });
  const forks: VersionFork[] = [];
  for (const versions of places.values()) {
    const { inside, position } = versions[0] as ListedVersion;
    const listed = versions.map(version => listedVersion(version, false));
    const [standing] =
      inside === null
        ? await store.messages.listFrom(chatId, position, 1)
        : await store.versions.messages(chatId, inside, position, 1);
    if (standing) {
      const end = inside === null ? (last?.position ?? 0) + 1 : (sizes.get(inside) ?? position);
      const { turn_id } = standing;
      const turn = turn_id === null ? undefined : await store.turns.getNamed(chatId, turn_id);
      const version = {
        id: standing.id,
        first: standing,
        messages: end - position,
        model: turn?.model ?? null,
      };
      listed.push(listedVersion(version, inside === null));
    }
    forks.push({ inside, versions: listed.sort(byAge) });
  }
  return { forks: forks.sort((a, b) => byAge(a.versions[0] as ChatVersion, b.versions[0] as ChatVersion)) };
}

/** Ids sort by the time of their creation. */
const byAge = (a: Pick<ChatVersion, 'id'>, b: Pick<ChatVersion, 'id'>): number => (a.id < b.id ? -1 : 1);

function listedVersion(
  { id, first, messages, model }: Pick<ListedVersion, 'first' | 'id' | 'messages' | 'model'>,
  active: boolean,
): ChatVersion {
  const text = first.content
    .flatMap(block => (block.type === 'text' && !block.internal?.file ? [block.text] : []))
    .join('\n');
  const { created_at } = first;
  return {
    id,
    first_message_id: id,
    created_at,
    messages,
    preview: cutText(text, PREVIEW_CHARS),
    model,
    active,
  };
}

/** Makes a version the present of its chat, in which no turn is open. @throws KernelError not_found */
export async function activateVersion(
  chat: ChatRecord,
  id: string,
  {
    store,
    histories,
    events,
    clock,
    ownership,
  }: { store: Store; histories: Histories; events: KernelEvents; clock: Clock; ownership: Ownership },
): Promise<void> {
  const changed = isId(id)
    ? await store.versions
        .activate(ownership.hold(chat.id), id, timestamp(clock))
        .catch(error => {
          // Only the answer of the store may be lost.
          events.historyChanged(chat.id, id);
          throw error;
        })
        .finally(() => histories.forget(chat.id))
    : undefined;
  if (changed === undefined) throw new KernelError('not_found', `There is no version ${id} in this chat.`);
  if (changed === null) return;
  events.chatUpdated((await store.chats.get(chat.id)) ?? chat);
  events.historyChanged(chat.id, changed);
}
