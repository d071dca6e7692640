/** Renders a plan as a checklist. */
import type { PlanTask } from '@chat-kernel/protocol';
import { type Line, line, type Style, span } from '../text/line.ts';
import { fit } from '../text/wrap.ts';

const MARKS: Record<PlanTask['status'], { mark: string; style: Style; text: Style }> = {
  completed: { mark: '☑', style: { colour: 'green' }, text: { dim: true, strike: true } },
  in_progress: { mark: '▸', style: { colour: 'yellow' }, text: { bold: true } },
  pending: { mark: '☐', style: { dim: true }, text: {} },
};

/**
 * @param rows maximum lines; the task in progress and its neighbors are shown first
 * @returns no lines for a plan that is closed
 */
export function planLines(
  tasks: readonly PlanTask[],
  width: number,
  rows = Number.POSITIVE_INFINITY,
): Line[] {
  if (tasks.length === 0 || rows < 1) return [];
  const done = tasks.filter(task => task.status === 'completed').length;
  const head: Line = [span('Plan ', { bold: true }), span(`${done}/${tasks.length}`, { dim: true })];
  const room = rows - 1;
  const now = Math.max(
    0,
    tasks.findIndex(task => task.status !== 'completed'),
  );
  const from = tasks.length <= room ? 0 : Math.min(Math.max(0, now - 1), Math.max(0, tasks.length - room));
  const shown = tasks.slice(from, from + room);
  const hidden = tasks.length - shown.length;
  return [
    hidden > 0 ? [...head, span(`  ${hidden} not shown`, { dim: true })] : head,
    ...shown.map(({ title, status }) => {
      const { mark, style, text } = MARKS[status];
      return fit([span(`${mark} `, style), ...line(title, text)], width);
    }),
  ];
}
