/** A client's words about an operation that went well, added to those of the kernel. */
import { cutText } from '@chat-kernel/protocol';

const MAX_CHARS = 300;

/** Returns `output`, and a line with the client's words where there are any. */
export function withClientWords(output: string, said: string): string {
  const words = cutText(said.trim().replaceAll(/\s+/g, ' '), MAX_CHARS);
  return words === '' ? output : `${output}\nThe client says: ${words}`;
}
