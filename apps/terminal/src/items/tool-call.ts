/** Renders a tool call: input, progress, result. */
import type { Item } from '@chat-kernel/protocol';
import { BLANK, type Colour, type Line, span } from '../text/line.ts';
import { fit, indent } from '../text/wrap.ts';
import { callSummary } from './call-summary.ts';
import { collapseToHead, collapseToTail } from './collapse.ts';
import { cachedFileChange, diffLines } from './file-diff.ts';
import type { ItemView } from './view.ts';

type ToolCall = Extract<Item, { kind: 'tool_call' }>;

const RESULT_LINES = 6;
const DIFF_LINES = 24;
const PROGRESS_LINES = 5;
const UNDER = '  ';

export function toolCallLines(item: ToolCall, view: ItemView): Line[] {
  const inner = view.width - UNDER.length;
  const under = (lines: Line[]): Line[] => indent(lines, [span(UNDER)]);
  const change = cachedFileChange(item.name, item.input);
  const diff =
    change === null
      ? []
      : diffLines(change, inner, view.expanded && item.status !== 'running' ? null : DIFF_LINES);
  return [fit(renderHead(item, view), view.width), ...under(diff), ...under(resultLines(item, view, inner))];
}

function renderHead(item: ToolCall, view: ItemView): Line {
  const { mark, colour } = MARKS[item.is_error && item.status === 'completed' ? 'failed' : item.status];
  const icon = view.iconOf(item.name);
  const summary = callSummary(item.name, item.input);
  return [
    span(`${mark} `, { colour }),
    ...(icon === null ? [] : [span(`${icon} `)]),
    ...(item.agent === undefined ? [] : [span(`${item.agent} › `, { colour: 'magenta' })]),
    span(item.name, { bold: true }),
    ...(summary === '' ? BLANK : [span(` ${summary}`)]),
    ...(item.status === 'aborted' ? [span('  aborted', { colour: 'yellow' })] : []),
  ];
}

const MARKS: Record<ToolCall['status'], { mark: string; colour: Colour }> = {
  running: { mark: '○', colour: 'yellow' },
  completed: { mark: '●', colour: 'green' },
  failed: { mark: '✗', colour: 'red' },
  aborted: { mark: '◌', colour: 'yellow' },
};

function resultLines(item: ToolCall, view: ItemView, width: number): Line[] {
  if (item.output === undefined) {
    return item.progress === undefined
      ? []
      : collapseToTail(item.progress, PROGRESS_LINES, width, { dim: true });
  }
  const rows = view.expanded ? null : RESULT_LINES;
  return collapseToHead(item.output, rows, width, item.is_error ? { colour: 'red' } : { dim: true });
}
