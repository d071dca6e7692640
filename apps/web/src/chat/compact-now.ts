/** Compacts a chat and shows the result as a notice. */
import type { Kernel } from '../kernel/kernel.ts';

export async function compactNow({ client, notices }: Kernel, chatId: string): Promise<void> {
  notices.say('Compacting conversation…');
  try {
    const { folded } = await client.compactChat(chatId);
    notices.say(folded ? 'Conversation compacted.' : 'There is nothing to compact.');
  } catch (error) {
    notices.fail(error);
  }
}
