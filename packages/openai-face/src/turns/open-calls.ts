/** Finds calls that wait for their answer, by the ids in a request. The kernel keeps the list. */
import type { KernelClient } from '@chat-kernel/client';

export interface OpenCalls {
  chat_id: string;
  turn_id: string;
  /** The ids of the calls. */
  ids: string[];
}

/**
 * The open calls with these ids, by turn, the newest first. Ids are unique only within a chat.
 * @param chatId restricts the search to this chat
 */
export async function openCalls(
  kernel: KernelClient,
  ids: readonly string[],
  chatId: string | undefined,
): Promise<OpenCalls[]> {
  const found = await listOpenCalls(kernel, chatId);
  const asked = found.filter(({ id }) => ids.includes(id));
  const turns = Map.groupBy(asked, ({ turn_id }) => turn_id);
  return [...turns]
    .map(([turn_id, calls]) => ({ chat_id: calls[0]!.chat_id, turn_id, ids: calls.map(({ id }) => id) }))
    .reverse();
}

/** The turn of a chat that waits for answers to calls; undefined if none does. */
export async function waitingTurn(kernel: KernelClient, chatId: string): Promise<string | undefined> {
  return (await listOpenCalls(kernel, chatId))[0]?.turn_id;
}

async function listOpenCalls(kernel: KernelClient, chatId: string | undefined) {
  const { requests } = await kernel.listRequests(chatId === undefined ? {} : { chat_id: chatId });
  return requests.filter(({ event }) => event.type === 'extra_tool_call');
}
