/** The answer to a mail: the words of its turn, and the files that the turn has made or that its words link to. */
import { blocksOf, type Token, type Tokens } from '@chat-kernel/markdown';
import type { KernelClient } from '@chat-kernel/module-sdk';
import { ChatFiles, MOST_FILES, NoFile } from './files.ts';
import type { MailFile } from './outgoing.ts';
import { MASTER, type Sender } from './senders.ts';
import type { TurnOutcome } from './turns.ts';

interface AnswerPlace {
  kernel: KernelClient;
  /** Null: the mail has no chat, so that there are no files. */
  chat_id: string | null;
  sender: Sender;
  /** For all files, in bytes. */
  room: number;
}

/** @throws what the kernel's client throws where the kernel is away */
export async function answerOf(
  outcome: TurnOutcome,
  { kernel, chat_id, sender, room }: AnswerPlace,
): Promise<{ text: string; attachments: MailFile[] }> {
  const words = wordsOf(outcome, sender);
  if (chat_id === null) return { text: words, attachments: [] };
  const files = new ChatFiles(kernel, chat_id, sender.who === MASTER ? 'workdir' : 'none');
  const attachments: MailFile[] = [];
  const leftOut: string[] = [];
  let left = room;
  for (const named of new Set([...outcome.made, ...linksIn(outcome.text)])) {
    try {
      if (attachments.length === MOST_FILES) {
        leftOut.push(`${named}: a mail brings ${MOST_FILES} files at most.`);
        continue;
      }
      const file = await files.read(named, left);
      left -= file.bytes.length;
      attachments.push(file);
    } catch (error) {
      if (!(error instanceof NoFile)) throw error;
      // A link may lead to anything; only what could have come and does not is worth a word.
      if (error.tooLarge) leftOut.push(error.message);
    }
  }
  const note =
    leftOut.length === 0 ? '' : `\n\nNot attached:\n\n${leftOut.map(line => `    ${line}`).join('\n')}`;
  return { text: words + note, attachments };
}

/** Others than the master need not know what went wrong. */
function wordsOf({ status, text, error }: TurnOutcome, { who }: Sender): string {
  if (status === 'completed') return text === '' ? 'The answer has no text.' : text;
  const reason = who === MASTER && error ? `: ${error.message}` : '.';
  const sentence = status === 'cancelled' ? 'The answer was stopped.' : `This could not be answered${reason}`;
  return text === '' ? sentence : `${text}\n\n${sentence}`;
}

/** Where its links lead, save to other hosts and to places in the text. */
const linksIn = (markdown: string): string[] =>
  blocksOf(markdown)
    .flatMap(({ token }) => targetsIn(token))
    .map(decoded)
    .filter(target => !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target));

function targetsIn(token: Token): string[] {
  const own = token.type === 'link' || token.type === 'image' ? [String(token.href)] : [];
  return [...own, ...insideOf(token).flatMap(targetsIn)];
}

function insideOf(token: Token): Token[] {
  if (token.type === 'list') return (token as Tokens.List).items;
  if (token.type !== 'table') return 'tokens' in token ? (token.tokens ?? []) : [];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flat().flatMap(({ tokens }) => tokens);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
