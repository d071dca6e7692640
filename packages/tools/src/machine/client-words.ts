/** What a client says of an operation that went well, beside what the kernel says of it. */
import { cutText } from '@chat-kernel/protocol';

const MAX_CHARS = 300;

/** `output`, and a line with the client's words where it said any. */
export function withClientWords(output: string, said: string): string {
  const words = cutText(said.trim().replaceAll(/\s+/g, ' '), MAX_CHARS);
  return words === '' ? output : `${output}\nThe client says: ${words}`;
}
