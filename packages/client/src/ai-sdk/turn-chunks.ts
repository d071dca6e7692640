/** The chunks of a turn, out of its events, and out of history where those are not known any more. */
import type { TurnEvent } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
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
  // It ended between two looks at it, or while the line was broken.
  if (!writer.ended) yield* endedTurn(client, chatId, turnId, writer);
}

/** Messages of the newest page in which an ended turn is looked for. */
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
