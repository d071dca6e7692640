/** Finds uploads of other people that a call names in its input, because their text is not the owner's (CONSENT-4). */
import type { JsonObject } from '@chat-kernel/protocol';
import { isOfMaster, type Store } from '../ports/index.ts';

/** Ids of uploads are in addresses (`file:ID`), in paths (`files/ID/NAME`), and in fields. */
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const MAX_IDS = 50;

/**
 * The sources of a call that may read such files.
 * @param speaker the sender of the turn, whose own files do not count
 */
export async function sourcesOfNamedFiles(
  input: JsonObject,
  speaker: string | undefined,
  store: Pick<Store, 'files' | 'messages'>,
): Promise<string[]> {
  const ids = new Set(JSON.stringify(input).match(ID));
  const sources: string[] = [];
  for (const id of [...ids].slice(0, MAX_IDS)) {
    if (await isOfOther(id, speaker, store)) sources.push(`file:${id}`);
  }
  return sources;
}

async function isOfOther(
  id: string,
  speaker: string | undefined,
  { files, messages }: Pick<Store, 'files' | 'messages'>,
): Promise<boolean> {
  for (const { chat_id, message_id } of await files.listUses(id)) {
    const message = await messages.get(chat_id, message_id);
    if (message !== undefined && !isOfMaster(message) && message.sender !== speaker) return true;
  }
  return false;
}
