/** Folds the older part of a chat into its summary, and says what came of it. */
import type { Kernel } from '../kernel/kernel.ts';

export async function compactNow({ client, notices }: Kernel, chatId: string): Promise<void> {
  notices.say('Folding older messages …');
  try {
    const { folded } = await client.compactChat(chatId);
    notices.say(folded ? 'Older messages are folded into the summary.' : 'There is nothing to fold yet.');
  } catch (error) {
    notices.fail(error);
  }
}
