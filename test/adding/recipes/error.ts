import type { Recipe } from '../recipe.ts';

export const error: Recipe = {
  row: 'an error',
  edits: [
    {
      file: 'packages/protocol/src/base/error.ts',
      before: '  not_json: {',
      text: "  too_late: { status: 418, retryable: false, title: 'The time for it is over' },\n",
    },
    {
      file: 'packages/protocol/src/base/error.ts',
      before: '  step_limit: ',
      text: "  out_of_time: 'The time for the turn is over',\n",
    },
    {
      file: 'docs/errors.md',
      before: '| 422    | `not_json` ',
      text: '| 418    | `too_late` | Come earlier. |\n',
    },
    { file: 'docs/errors.md', before: '| `step_limit` ', text: '| `out_of_time` | It took too long. |\n' },
  ],
};
