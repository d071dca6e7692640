import type { Recipe } from '../recipe.ts';

export const itemKind: Recipe = {
  row: 'an item kind',
  edits: [
    {
      file: 'packages/protocol/src/items.ts',
      before: 'export const Item = z\n',
      text:
        '/** A sentence that comes back at its time. */\n' +
        "const ReminderItem = itemSchema('reminder', { text: z.string() }).meta({ id: 'ReminderItem' });\n\n",
    },
    { file: 'packages/protocol/src/items.ts', after: '    PlanItem,\n', text: '    ReminderItem,\n' },
    {
      file: 'packages/kernel/src/ports/store/stored-message.ts',
      after: '  note?: NoteId;\n',
      text: '  /** The text block is a reminder. */\n  reminder?: true;\n',
    },
    {
      file: 'packages/kernel/src/items/to-items.ts',
      before: "  if (internal?.compaction !== undefined) return common('compaction', place);\n",
      text: "  if (internal?.reminder) return { ...common('reminder', place), text };\n",
    },
    {
      file: 'packages/kernel/src/feed/rebuild.ts',
      before: "      case 'machine_note':\n",
      text: "      case 'reminder':\n",
    },
    {
      file: 'packages/kernel/src/archive/markdown.ts',
      before: "    case 'compaction':\n",
      text: "    case 'reminder':\n      return paragraph(item.text);\n",
    },
    {
      file: 'packages/kernel/src/archive/markdown.ts',
      after: '  plan: false,\n',
      text: '  reminder: false,\n',
    },
    {
      file: 'apps/terminal/src/items/item-lines.ts',
      before: "    case 'plan':\n",
      text: "    case 'reminder':\n      return splitLines(item.text).flatMap(each => wrapWords(line(each), view.width));\n",
    },
    {
      file: 'apps/web/src/items/item-view.tsx',
      before: "    case 'plan':\n",
      text: '    case \'reminder\':\n      return <p className="note">{item.text}</p>;\n',
    },
    {
      file: 'apps/web/src/items/item-labels.ts',
      after: "  thinking: spoken('Thinking'),\n",
      text: "  reminder: spoken('Reminder'),\n",
    },
    { file: 'docs/api.md', after: '`image`, `compaction`, ', text: '`reminder`, ' },
  ],
};
