/** Yields the chunks of a turn, from its events, or from the history if the events have expired. */
import type { KernelClient, TurnEvent } from '@chat-kernel/client';
import { ChunkWriter } from './chunk-writer.ts';
import type { KernelChunk } from './message.ts';

interface TurnOfChat {
  chatId: string;
  turnId: string;
  onEvent?: ((chatId: string, event: TurnEvent) => void) | undefined;
}

export async function* turnChunks(
  client: KernelClient,
  events: AsyncIterable<TurnEvent>,
  { chatId, turnId, onEvent }: TurnOfChat,
): AsyncGenerator<KernelChunk, void> {
  const writer = new ChunkWriter(chatId, client.url);
  yield* writer.begin(turnId);
  for await (const event of events) {
    onEvent?.(chatId, event);
    yield* writer.write(event);
  }
  // The turn ended between two reads, or while the connection was interrupted.
  if (!writer.ended) yield* endedTurn(client, chatId, turnId, writer);
}

/** Size of the newest history page in which an ended turn is searched. */
const PAGE = 200;

async function* endedTurn(
  client: KernelClient,
  chatId: string,
  turnId: string,
  writer: ChunkWriter,
): AsyncGenerator<KernelChunk, void> {
  const { status, usage, error } = await client.getTurn(chatId, turnId);
  const { items } = await client.listItems(chatId, { limit: PAGE });
  for (const item of items) if (item.turn_id === turnId) yield* writer.completed(item);
  if (error) writer.fail(error.message);
  if (status === 'completed' || status === 'failed' || status === 'cancelled') {
    yield* writer.end({ status, usage });
  }
}
