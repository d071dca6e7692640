/** Marks the messages at which other versions begin (EDIT-3). */
import type { VersionMark } from '@chat-kernel/protocol';
import type { Store, StoredMessage } from '../ports/index.ts';

/** The marks of those adjacent messages at which other versions begin, by the ids of the messages. */
export async function versionMarks(
  chatId: string,
  messages: readonly StoredMessage[],
  { versions }: Pick<Store, 'versions'>,
): Promise<Map<string, VersionMark>> {
  const placed = messages.filter(({ position }) => position !== null);
  const marks = new Map<string, VersionMark>();
  if (placed.length === 0) return marks;
  const [from, to] = [placed[0]?.position as number, placed.at(-1)?.position as number];
  const others = Map.groupBy(await versions.listAt(chatId, from, to), ({ position }) => position);
  for (const { id, position } of placed) {
    const here = others.get(position as number);
    if (here === undefined) continue;
    // A retry may have moved the message since it was read.
    const ids = [...new Set([id, ...here.map(each => each.id)])].sort();
    if (ids.length > 1) marks.set(id, { index: ids.indexOf(id) + 1, count: ids.length, ids });
  }
  return marks;
}
