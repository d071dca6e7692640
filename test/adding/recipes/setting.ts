import type { Recipe } from '../recipe.ts';

export const setting: Recipe = {
  row: 'a setting',
  edits: [
    {
      file: 'packages/protocol/src/settings/settings.ts',
      after:
        "      model: z.string().nullable().default(null).describe('Model for titles. Null = the model of the turn.'),\n",
      text: "      words: z.int().positive().default(8).describe('Maximum number of words in titles.'),\n",
    },
  ],
};
