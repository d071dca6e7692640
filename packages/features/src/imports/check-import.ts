/**
 * Checks what the schema of an import cannot: positions refer to existing messages, and times are not in the future.
 */
import { type ImportChat, type ImportMessage, KernelError } from '@chat-kernel/protocol';

/** Tolerates different clocks; a chat of next year would be first in every list until then. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/** @param now RFC 3339 @throws KernelError invalid_value, with the location of the mistake */
export function checkImport(body: ImportChat, now: string): void {
  const latest = Date.parse(now) + AHEAD_MS;
  checkTime(body.created_at, '/created_at', latest);
  const { messages, branches = [], summary } = body;
  checkMessages(messages, '/messages', latest);
  if (summary && summary.upto >= messages.length)
    throw wrong('/summary/upto', 'There is no message at this position.');
  const lengths = [messages.length];
  for (const [index, { of, before, messages: own }] of branches.entries()) {
    const pointer = `/branches/${index}`;
    const length = lengths[of];
    if (length === undefined) throw wrong(`${pointer}/of`, 'The list has no such branch before this one.');
    if (before >= length) throw wrong(`${pointer}/before`, 'There is no message at this position.');
    checkMessages(own, `${pointer}/messages`, latest);
    lengths.push(before + own.length);
  }
}

function checkMessages(messages: readonly ImportMessage[], pointer: string, latest: number): void {
  for (const [index, { created_at, content }] of messages.entries()) {
    checkTime(created_at, `${pointer}/${index}/created_at`, latest);
    for (const [n, block] of content.entries())
      if (block.type === 'fold' && block.upto >= index)
        throw wrong(
          `${pointer}/${index}/content/${n}/upto`,
          'A summary must follow the messages that it covers.',
        );
  }
}

function checkTime(time: string, pointer: string, latest: number): void {
  const msecs = Date.parse(time);
  if (msecs < 0) throw wrong(pointer, 'The time is before 1970.');
  if (msecs > latest) throw wrong(pointer, 'The time is in the future.');
}

const wrong = (pointer: string, detail: string) =>
  new KernelError('invalid_value', `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });
