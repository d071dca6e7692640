import type { Recipe } from '../recipe.ts';

const TABLE = 'packages/protocol/src/service/push.ts';
const TEXTS = 'packages/features/src/push/reasons.ts';
const PAGE = 'docs/api.md';

export const pushReason: Recipe = {
  row: 'a reason to notify the owner',
  edits: [
    {
      file: TABLE,
      before: '} as const satisfies Record<string, PushFacts>;\n',
      text: "  schedule_missed: { urgency: 'high', split_from: 'schedule_ended' },\n",
    },
    {
      file: TEXTS,
      before: "  schedule_ended: { on: 'schedule_ended',",
      text: "  schedule_missed: { on: 'schedule_ended', applies: ({ status }) => status === 'missed', text: runText },\n",
    },
    {
      file: PAGE,
      before: '| `schedule_ended` | normal |',
      text: '| `schedule_missed` | high | when a schedule missed its time; it was a `schedule_ended` |\n',
    },
  ],
  required: [
    { file: TABLE, without: "urgency: 'high', ", says: [TABLE, 'urgency'] },
    { file: TABLE, without: ", split_from: 'schedule_ended'", says: [TABLE, 'split_from'] },
    { file: TEXTS, without: ', text: runText', says: [TEXTS, 'text'] },
    { file: TEXTS, says: [TEXTS, 'schedule_missed'] },
    {
      file: PAGE,
      says: ['lists all reasons', 'schedule_missed'],
      command: ['vitest', 'run', 'test/docs/push.test.ts'],
    },
    {
      file: PAGE,
      without: '`schedule_ended`',
      says: ['schedule_missed'],
      command: ['vitest', 'run', 'test/docs/push.test.ts'],
    },
  ],
};
