/** Calls that wait for their answer, found by the ids that a request answers: the kernel keeps the list. */
import type { KernelClient } from '@chat-kernel/client';

interface OpenCalls {
  chat_id: string;
  turn_id: string;
  /** Of the calls. */
  ids: string[];
}

/**
 * The calls of these ids that are open, by turn, the newest first. Ids are unique in a chat alone.
 * @param chatId only of this chat
 */
export async function openCalls(
  kernel: KernelClient,
  ids: readonly string[],
  chatId: string | undefined,
): Promise<OpenCalls[]> {
  const found = await callsOf(kernel, chatId);
  const asked = found.filter(({ id }) => ids.includes(id));
  const turns = Map.groupBy(asked, ({ turn_id }) => turn_id);
  return [...turns]
    .map(([turn_id, calls]) => ({ chat_id: calls[0]!.chat_id, turn_id, ids: calls.map(({ id }) => id) }))
    .reverse();
}

/** The turn of a chat that waits for answers to calls; undefined: none does. */
export async function waitingTurn(kernel: KernelClient, chatId: string): Promise<string | undefined> {
  return (await callsOf(kernel, chatId))[0]?.turn_id;
}

async function callsOf(kernel: KernelClient, chatId: string | undefined) {
  const { requests } = await kernel.listRequests(chatId === undefined ? {} : { chat_id: chatId });
  return requests.filter(({ event }) => event.type === 'extra_tool_call');
}
