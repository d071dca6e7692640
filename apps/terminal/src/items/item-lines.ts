/** Every kind of item as lines: THE list of views of items. */

import { blocksOf } from '@chat-kernel/markdown';
import type { Item } from '@chat-kernel/protocol';
// Of the schemas nothing is needed, and they would be a tenth of the memory.
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import { blocksLines } from '../markdown/block.ts';
import { count, duration, short } from '../text/amounts.ts';
import { BLANK, type Line, line, type Span, span, webAddress } from '../text/line.ts';
import { linesOf } from '../text/safe.ts';
import { fit, indent, wrapWords } from '../text/wrap.ts';
import { callSummary } from './call-summary.ts';
import { planLines } from './plan.ts';
import { toolCallLines } from './tool-call.ts';
import type { ItemView } from './view.ts';

type Of<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;

/** Returns the lines of an item, without empty lines around it. A kind of a newer kernel is shown by its name. */
export function itemLines(item: Item, view: ItemView): Line[] {
  switch (item.kind) {
    case 'user_message':
      return userMessageLines(item, view);
    case 'agent_message':
      return blocksLines(blocksOf(item.text), view);
    case 'thinking':
      return thinkingLines(item, view);
    case 'tool_call':
      return toolCallLines(item, view);
    case 'client_op':
      return [fit(operationLine(item, view), view.width)];
    case 'image':
      return [fit([imageSpan(item, view)], view.width)];
    case 'compaction':
      return [fit(line('── older history was folded into a summary ──', { dim: true }), view.width)];
    case 'machine_note':
      return linesOf(noteText(item)).flatMap(each => wrapWords(line(each, { colour: 'yellow' }), view.width));
    case 'plan':
      return planLines(item.tasks, view.width);
    default:
      return [unknownLine(item, view.width)];
  }
}

function userMessageLines(item: Of<'user_message'>, view: ItemView): Line[] {
  const bar: Line = [span('▌ ', { colour: 'cyan' })];
  const width = view.width - 2;
  const plain = (text: string, style = {}): Line[] =>
    linesOf(text).flatMap(each => wrapWords(line(each, style), width));
  const lines = [
    ...(item.master || item.sender === undefined ? [] : plain(item.sender, { bold: true })),
    ...(item.quote?.text ? plain(`> ${item.quote.text}`, { dim: true }) : []),
    ...(item.text === '' ? [] : plain(item.text)),
    ...item.attachments.map(each => fit(line(attachmentText(each), { dim: true }), width)),
  ];
  return indent(lines, bar);
}

/** The mark of a branch names chat and message by their ids, which say nothing to people. */
const noteText = ({ note, text }: Of<'machine_note'>): string =>
  note === 'fork_marker' ? text.split(' Before message ', 1)[0]! : text;

function attachmentText(attachment: Of<'user_message'>['attachments'][number]): string {
  switch (attachment.kind) {
    case 'image':
      return `[${attachment.media_type}, ${sizeForPeople(Math.floor((attachment.data.length * 3) / 4))}]`;
    case 'file':
      return `[file ${attachment.name}, ${sizeForPeople(attachment.size)}]`;
  }
}

/** Words are counted at the end: while the thinking grows, the work on it is bounded. */
function thinkingLines(item: Of<'thinking'>, view: ItemView): Line[] {
  const ms = view.thoughtMs(item);
  const running = item.status === 'running';
  const time = ms === null ? '' : running ? ` ${duration(ms)}` : ` for ${duration(ms)}`;
  const amount = running ? `${short(item.text.length)} characters` : count(wordsIn(item.text), 'word');
  const style = { dim: true, italic: true };
  const head = fit(line(`✻ ${running ? 'thinking' : 'thought'}${time} · ${amount}`, style), view.width);
  if (!view.expanded) return [head];
  const shown = running ? item.text.slice(-LIVE_CHARS) : item.text.trim();
  const text = linesOf(shown).flatMap(each => wrapWords(line(each, { dim: true }), view.width - 2));
  return [head, ...indent(text, [span('  ')])];
}

/** The most characters of running thinking that are shown. */
const LIVE_CHARS = 2000;
const wordsIn = (text: string): number => text.split(/\s+/).filter(each => each !== '').length;

function operationLine(item: Of<'client_op'>, view: ItemView): Line {
  const { action, params, decision, resolution, agent } = item;
  const open = view.isBegun(item.op_id) ? 'running' : 'waiting';
  const ending = decision ?? resolution?.reason ?? (item.status === 'running' ? open : item.status);
  return [
    span('  ↳ ', { dim: true }),
    ...(agent === undefined ? BLANK : [span(`${agent} › `, { colour: 'magenta' })]),
    span(`on this machine: ${action} ${callSummary(action, params)}`, { dim: true }),
    span(`  ${ending}`, decision === 'deny' || item.status === 'failed' ? { colour: 'red' } : { dim: true }),
  ];
}

function imageSpan(item: Of<'image'>, view: ItemView): Span {
  const address = view.addressOf(item.url);
  const link = webAddress(address);
  return span(`🖼 ${item.media_type} ${address}`, { colour: 'blue', ...(link !== null && { link }) });
}

const unknownLine = (item: never, width: number): Line =>
  fit(line(`[${(item as Item).kind}: this client cannot show it]`, { dim: true }), width);
