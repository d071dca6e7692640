/** Adds a client's message about a successful operation to the kernel's output. */
import { cutText, toSingleLine } from '@chat-kernel/text';

const MAX_CHARS = 300;

/** Returns `output`, followed by a line with the client's message if there is one. */
export function appendClientText(output: string, clientText: string): string {
  const line = cutText(toSingleLine(clientText), MAX_CHARS);
  return line === '' ? output : `${output}\nMessage from the client: ${line}`;
}
