import type { Recipe } from '../recipe.ts';

export const setting: Recipe = {
  row: 'a setting',
  edits: [
    {
      file: 'packages/protocol/src/settings/settings.ts',
      after: "      model: z.string().nullable().default(null).describe('Null = the model of the turn.'),\n",
      text: "      words: z.int().positive().default(8).describe('Most words of a title.'),\n",
    },
  ],
};
