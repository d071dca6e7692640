/** Builds the answer to an email: the text of its turn, its images, approved files, and uploads that the text links to. */
import type { KernelClient } from '@chat-kernel/module-sdk';
import { blocksOf, type Token, type Tokens } from '@chat-kernel/text/markdown';
import { type ChatFiles, MAX_FILES, NoFile, readFile } from './files.ts';
import type { MailFile } from './outgoing.ts';
import { MASTER, type Sender } from './sender-identity.ts';
import type { TurnOutcome } from './turns.ts';

interface AnswerPlace {
  kernel: KernelClient;
  /** Null: the email has no chat, so there are no files. */
  chat_id: string | null;
  sender: Sender;
  /** The limit for all files together, in bytes. */
  room: number;
}

/** @throws the error of the kernel client if the kernel is unreachable */
export async function buildAnswer(
  outcome: TurnOutcome,
  { kernel, chat_id, sender, room }: AnswerPlace,
): Promise<{ text: string; attachments: MailFile[] }> {
  const answer = answerText(outcome, sender);
  if (chat_id === null) return { text: answer, attachments: [] };
  // Files of a machine are attached only by the tool, which asks.
  const files: ChatFiles = { kernel, chat_id, paths: 'none' };
  const attachments: MailFile[] = [];
  const leftOut: string[] = [];
  let left = room;
  for (const named of new Set([...outcome.made, ...(sender.who === MASTER ? linksIn(outcome.text) : [])])) {
    try {
      if (attachments.length === MAX_FILES) {
        leftOut.push(`${named}: an email can have at most ${MAX_FILES} attachments.`);
        continue;
      }
      const file = await readFile(files, named, left);
      left -= file.bytes.length;
      attachments.push(file);
    } catch (error) {
      if (!(error instanceof NoFile)) throw error;
      // Links can point anywhere. Report only files that were expected to exist.
      if (error.isReported) leftOut.push(error.message);
    }
  }
  const note =
    leftOut.length === 0 ? '' : `\n\nNot attached:\n\n${leftOut.map(line => `    ${line}`).join('\n')}`;
  return { text: answer + note, attachments };
}

/** Only the master gets the error message. */
function answerText({ status, text, error }: TurnOutcome, { who }: Sender): string {
  if (status === 'completed') return text === '' ? '(Empty response)' : text;
  const reason = who === MASTER && error ? `: ${error.message}` : '.';
  const sentence = status === 'cancelled' ? 'The response was stopped.' : `The response failed${reason}`;
  return text === '' ? sentence : `${text}\n\n${sentence}`;
}

/** Returns the targets of its links, without links to other hosts and to positions in the text. */
const linksIn = (markdown: string): string[] =>
  blocksOf(markdown)
    .flatMap(({ token }) => targetsIn(token))
    .map(decoded)
    .filter(target => !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target));

function targetsIn(token: Token): string[] {
  const own = token.type === 'link' || token.type === 'image' ? [String(token.href)] : [];
  return [...own, ...childTokens(token).flatMap(targetsIn)];
}

function childTokens(token: Token): Token[] {
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
