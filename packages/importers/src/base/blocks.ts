/** Builds blocks and messages of an import, in the same way for all formats. */
import type { ImportBlock, ImportMessage } from '@chat-kernel/protocol';
import type { LeftOut } from './incoming.ts';

type Note = Extract<ImportBlock, { type: 'note' }>;

export const text = (content: string): ImportBlock[] =>
  content.trim() === '' ? [] : [{ type: 'text', text: content }];

/** A sentence for users, which no model reads. */
export const note = (content: string): ImportBlock => ({
  type: 'note',
  note: 'imported',
  text: `[imported] ${content}`,
});

/**
 * Counts omitted content, and returns the note that replaces it. @param name such as `file`, under which it is counted
 */
export function leftOut(counts: LeftOut, name: string, content = name): ImportBlock {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return note(`Left out: ${content}.`);
}

/** Encloses text in fences that are longer than any in it, so that it cannot close them. */
export function fenced(content: string, language = ''): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A call of a tool that this kernel may not have: a model reads it as text. */
export const calledTool = (name: string, input: string, language = ''): ImportBlock => ({
  type: 'text',
  text: `Call of the tool ${name}:\n${fenced(input, language)}`,
});
export const toolAnswer = (name: string, output: string): ImportBlock => ({
  type: 'text',
  text: `Output of the tool ${name}:\n${fenced(output)}`,
});

/**
 * Builds messages from these blocks, none if there are no blocks. Notes belong to the kernel, so they are in a separate
 * message after the user's.
 */
export function toImportMessages(
  role: ImportMessage['role'],
  created_at: string,
  blocks: readonly ImportBlock[],
): ImportMessage[] {
  const isNote = (block: ImportBlock): block is Note => block.type === 'note';
  const parts: [ImportMessage['role'], ImportBlock[]][] =
    role === 'assistant'
      ? [['assistant', [...blocks]]]
      : [
          ['user', blocks.filter(block => !isNote(block))],
          ['assistant', blocks.filter(isNote)],
        ];
  return parts
    .filter(([, content]) => content.length > 0)
    .map(([role, content]) => ({ role, created_at, content, status: 'completed' }));
}
