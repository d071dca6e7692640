/** What the schema of an import cannot say: places name messages that are there, and times have come. */
import { type ImportChat, type ImportMessage, KernelError } from '@chat-kernel/protocol';

/** Clocks differ; a chat of next year would stand first in every list until then. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/** @param now RFC 3339 @throws KernelError invalid_value, with the place of the mistake */
export function checkImport(body: ImportChat, now: string): void {
  const latest = Date.parse(now) + AHEAD_MS;
  checkTime(body.created_at, '/created_at', latest);
  const { messages, branches = [], summary } = body;
  checkMessages(messages, '/messages', latest);
  if (summary && summary.upto >= messages.length)
    throw wrong('/summary/upto', 'There is no message of this place.');
  const lengths = [messages.length];
  for (const [index, { of, before, messages: own }] of branches.entries()) {
    const pointer = `/branches/${index}`;
    const length = lengths[of];
    if (length === undefined) throw wrong(`${pointer}/of`, 'There is no such branch before this one.');
    if (before >= length) throw wrong(`${pointer}/before`, 'There is no message of this place.');
    checkMessages(own, `${pointer}/messages`, latest);
    lengths.push(before + own.length);
  }
}

function checkMessages(messages: readonly ImportMessage[], pointer: string, latest: number): void {
  for (const [index, { created_at, content }] of messages.entries()) {
    checkTime(created_at, `${pointer}/${index}/created_at`, latest);
    for (const [n, block] of content.entries())
      if (block.type === 'fold' && block.upto >= index)
        throw wrong(`${pointer}/${index}/content/${n}/upto`, 'A fold stands behind what it folds.');
  }
}

function checkTime(time: string, pointer: string, latest: number): void {
  const msecs = Date.parse(time);
  if (msecs < 0) throw wrong(pointer, 'The time is before 1970.');
  if (msecs > latest) throw wrong(pointer, 'The time has not come yet.');
}

const wrong = (pointer: string, detail: string) =>
  new KernelError('invalid_value', `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });
