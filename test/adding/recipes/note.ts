import type { Recipe } from '../recipe.ts';

const TABLE = 'packages/protocol/src/tables/note-facts.ts';

export const note: Recipe = {
  row: 'a note that the kernel writes into a history',
  edits: [
    {
      file: TABLE,
      before: '  imported: plain(',
      text: `  slow_reply: { text: '[slow] This reply took long.', look: 'plain', isAboutReply: true },\n`,
    },
  ],
  required: [
    { file: TABLE, without: ", look: 'plain'", says: [TABLE, 'look'] },
    { file: TABLE, without: ', isAboutReply: true', says: [TABLE, 'isAboutReply'] },
  ],
};
