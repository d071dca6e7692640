import type { Recipe } from '../recipe.ts';

export const event: Recipe = {
  row: 'an event of a turn',
  edits: [
    {
      file: 'packages/protocol/src/turns/event.ts',
      after: "    eventSchema('compacting', {}).meta({ id: 'CompactingEvent' }),\n",
      text: "    eventSchema('reminded', { text: z.string() }).meta({ id: 'RemindedEvent' }),\n",
    },
    {
      file: 'packages/kernel/src/feed/feed.ts',
      after: "    this.#push({ type: 'turn_squeezed', freed_chars });\n  }\n",
      text: `
  /** Reminds the user of something. */
  reminded(text: string): void {
    this.#push({ type: 'reminded', text });
  }
`,
    },
    {
      file: 'packages/client/src/items/reducer.ts',
      before: "    case 'compacting':\n",
      text: "    case 'reminded':\n      return running(turn);\n",
    },
    { file: 'docs/api.md', after: 'Besides these: `queued`, ', text: '`reminded`, ' },
  ],
};
