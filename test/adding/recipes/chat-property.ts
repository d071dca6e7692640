import type { Recipe } from '../recipe.ts';

const TABLE = 'packages/protocol/src/chats/chat-settings.ts';
const PAGE = 'apps/web/src/dialogs/details.tsx';
const VALUES = 'test/conformance/chat-settings.test.ts';
const WIRE = 'test/conformance/chats.test.ts';
const API = 'docs/api.md';

/** Two properties: a boolean, and one of several words or null. The recipe `migration` adds their columns. */
export const chatProperty: Recipe = {
  row: 'a property of a chat',
  edits: [
    {
      file: TABLE,
      after: "  consent: Consent.default('auto'),\n",
      text: "  pinned: z.boolean().describe('Listed first.').default(false),\n",
    },
    { file: PAGE, before: '    toolset: chat.toolset,\n', text: '    pinned: chat.pinned,\n' },
    {
      file: PAGE,
      before: '      <Tools\n',
      text: `      <label className="option">
        <input
          type="checkbox"
          checked={form.pinned}
          onChange={event => set({ pinned: event.target.checked })}
        />
        Pinned
      </label>
`,
    },
    {
      file: WIRE,
      after: "  'compaction',\n",
      text: "  'pinned',\n",
    },
    {
      file: WIRE,
      after: "      compaction: 'auto',\n",
      text: '      pinned: false,\n',
    },
    { file: API, before: '`compaction`, `consent`', text: '`pinned`, ' },
    {
      file: TABLE,
      after: "  consent: Consent.default('auto'),\n",
      text: "  color: z.enum(['red', 'blue']).nullable().default(null),\n",
    },
    { file: PAGE, before: '    toolset: chat.toolset,\n', text: '    color: chat.color,\n' },
    {
      file: PAGE,
      before: '      <Tools\n',
      text: `      <SelectField
        label="Color"
        value={form.color ?? ''}
        onChange={value => set({ color: (value || null) as Chat['color'] })}
        none="None"
        options={[
          ['red', 'Red'],
          ['blue', 'Blue'],
        ]}
      />
`,
    },
    {
      file: WIRE,
      after: "  'compaction',\n",
      text: "  'color',\n",
    },
    {
      file: WIRE,
      after: "      compaction: 'auto',\n",
      text: '      color: null,\n',
    },
    {
      file: VALUES,
      after: "  consent: 'ask',\n",
      text: "  color: 'blue',\n",
    },
    { file: API, before: '`compaction`, `consent`', text: '`color`, ' },
  ],
  required: [
    { file: TABLE, says: ['pinned'], command: ['vitest', 'run', WIRE] },
    { file: WIRE, without: "  'pinned',\n", says: ['pinned'], command: ['vitest', 'run', WIRE] },
    { file: WIRE, without: '      pinned: false,\n', says: ['pinned'], command: ['vitest', 'run', WIRE] },
    { file: PAGE, says: ['details.tsx', "'pinned'"], command: ['tsc', '-p', 'apps/web'] },
    {
      file: VALUES,
      says: ['color'],
      command: ['vitest', 'run', VALUES, '-t', 'covers every setting with a test value'],
    },
    { file: API, says: ['pinned'], command: ['vitest', 'run', 'test/docs/names.test.ts'] },
  ],
};
