/** Renders a tool call: input, progress, result. */
import type { Item } from '@chat-kernel/protocol';
import { BLANK, type Colour, type Line, line, type Style, span } from '../text/line.ts';
import { splitLines } from '../text/safe.ts';
import { fit, indent, wrapAnywhere } from '../text/wrap.ts';
import { callSummary } from './call-summary.ts';
import { cachedFileChange, diffLines } from './file-diff.ts';
import { type ItemView, moreLines } from './view.ts';

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

/** Limits the work on a line that is cut at the width. */
const LINE_CHARS = 2000;

/** Returns the first `rows` lines and a count of the others, or all lines, wrapped, if `rows` is null. */
function collapseToHead(text: string, rows: number | null, width: number, style?: Style): Line[] {
  if (text.trim() === '') return [];
  const body = withoutBreaks(text);
  if (rows === null) return splitLines(body).flatMap(each => wrapAnywhere(line(each, style), width));
  const { shown, hidden } = firstLines(body, rows);
  const lines = splitLines(shown).map(each => fit(line(each.slice(0, LINE_CHARS), style), width));
  return hidden > 0 ? [...lines, moreLines(hidden)] : lines;
}

/** Returns the last `rows` lines of a text, each cut at the width. */
function collapseToTail(text: string, rows: number, width: number, style?: Style): Line[] {
  const body = text.trimEnd();
  if (body === '') return [];
  let from = body.length;
  for (let row = 0; row < rows && from >= 0; row++) from = body.lastIndexOf('\n', from - 1);
  return splitLines(body.slice(Math.max(0, from + 1))).map(each =>
    fit(line(each.slice(0, LINE_CHARS), style), width),
  );
}

/** A loop, because a regular expression is slow on many line breaks. */
function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function firstLines(text: string, rows: number): { shown: string; hidden: number } {
  let end = -1;
  for (let row = 0; row < rows; row++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return { shown: text, hidden: 0 };
  }
  let hidden = 1;
  for (let at = text.indexOf('\n', end + 1); at >= 0; at = text.indexOf('\n', at + 1)) hidden += 1;
  // Show a single remaining line instead of its count.
  return hidden === 1 ? { shown: text, hidden: 0 } : { shown: text.slice(0, end), hidden };
}
