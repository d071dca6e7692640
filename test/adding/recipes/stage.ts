import type { Recipe } from '../recipe.ts';

export const stage: Recipe = {
  row: 'a stage',
  edits: [
    {
      file: 'packages/protocol/src/modules/stage.ts',
      before: '  turn_done: stage(z.object({',
      text: '  turn_seen: stage(z.object({ turn_id: Id }), { changes: [], blocks: false }),\n',
    },
    {
      file: 'packages/kernel/src/turn/stages.ts',
      before: 'export const blockedTurn = ',
      text: `/** Tells modules that a turn was seen, without waiting for them. */
function turnSeen(turn: RunningTurn, stages: Stages): void {
  const payload = { turn_id: turn.record.id };
  void stages.run('turn_seen', payload, turn.context, AbortSignal.timeout(60_000)).catch(() => {});
}

`,
    },
    {
      file: 'packages/kernel/src/turn/stages.ts',
      before: "  if (!stages.has('turn_done')) return;\n",
      text: "  if (stages.has('turn_seen')) turnSeen(turn, stages);\n",
    },
    {
      file: 'docs/modules.md',
      before: '| `turn_done` |',
      text: '| `turn_seen` | `{turn_id}` | observe |\n',
    },
  ],
};
