/** Lets the model keep notes that stay when older history is folded away (BT-8). */
import { MAX_NOTEBOOK } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

export const notebook = defineTool({
  name: 'notebook',
  description:
    'Writes in the notebook of this chat: one Markdown text that you always see, also when older messages are folded away. Keep in it what will matter later: decisions, facts, open points. `append` adds a paragraph, `replace` writes the whole notebook anew.',
  input: z.object({ text: z.string(), mode: z.enum(['replace', 'append']) }),
  group: 'notebook',
  icon: '📓',
  trusted_only: true,
  lead_only: true,
  async run({ text, mode }, context) {
    const written = await context.changeNotebook(before => {
      const after = mode === 'replace' ? text : appended(before, text);
      if (after.length > MAX_NOTEBOOK) throw new Error(tooLong(after.length));
      return after;
    });
    return {
      output: written === '' ? 'The notebook is empty.' : `The notebook has ${count(written.length)}.`,
    };
  },
});

/** Appends the text on a new line. */
const appended = (before: string, text: string): string =>
  before === '' || before.endsWith('\n') ? before + text : `${before}\n${text}`;

const tooLong = (chars: number): string =>
  `the notebook takes at most ${count(MAX_NOTEBOOK)}, and this would make it ${count(chars)}. Nothing was written: replace it with a shorter text.`;

const count = (chars: number): string => `${chars.toLocaleString('en')} characters`;
