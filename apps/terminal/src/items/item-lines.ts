/** Renders every kind of item as lines. */
import type { Item } from '@chat-kernel/protocol';
// Import types only: the schemas would take a tenth of the memory.
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import { compact, counted, webAddress } from '@chat-kernel/text';
import { blocksOf } from '@chat-kernel/text/markdown';
import { blocksLines } from '../markdown/block.ts';
import { BLANK, type Line, line, type Span, span } from '../text/line.ts';
import { splitLines } from '../text/safe.ts';
import { fit, indent, wrapWords } from '../text/wrap.ts';
import { callSummary } from './call-summary.ts';
import { planLines } from './plan.ts';
import { toolCallLines } from './tool-call.ts';
import type { ItemView } from './view.ts';

type Of<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;

/** Renders an item without empty lines around it. Unknown kinds are shown by name. */
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
    case 'consent_request':
      return [fit(operationLine(item, view), view.width)];
    case 'image':
      return [fit([imageSpan(item, view)], view.width)];
    case 'compaction':
      return [fit(line('── conversation compacted ──', { dim: true }), view.width)];
    case 'machine_note':
      return splitLines(noteText(item)).flatMap(each =>
        wrapWords(line(each, { colour: 'yellow' }), view.width),
      );
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
    splitLines(text).flatMap(each => wrapWords(line(each, style), width));
  const lines = [
    ...(item.master || item.sender === undefined ? [] : plain(item.sender, { bold: true })),
    ...(item.quote?.text ? plain(`> ${item.quote.text}`, { dim: true }) : []),
    ...(item.text === '' ? [] : plain(item.text)),
    ...item.attachments.map(each => fit(line(attachmentText(each), { dim: true }), width)),
  ];
  return indent(lines, bar);
}

/** Removes the ids of chat and message from the note of a fork. */
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

/** Counts words at the end only, to bound the work while the thinking grows. */
function thinkingLines(item: Of<'thinking'>, view: ItemView): Line[] {
  const running = item.status === 'running';
  const amount = running ? `${compact(item.text.length)} characters` : counted(countWords(item.text), 'word');
  const style = { dim: true, italic: true };
  const head = fit(line(`✻ ${running ? 'thinking' : 'thought'} · ${amount}`, style), view.width);
  if (!view.expanded) return [head];
  const shown = running ? item.text.slice(-LIVE_CHARS) : item.text.trim();
  const text = splitLines(shown).flatMap(each => wrapWords(line(each, { dim: true }), view.width - 2));
  return [head, ...indent(text, [span('  ')])];
}

/** Limit of visible characters of unfinished thinking. */
const LIVE_CHARS = 2000;
const countWords = (text: string): number => text.split(/\s+/).filter(each => each !== '').length;

function operationLine(item: Of<'client_op' | 'consent_request'>, view: ItemView): Line {
  const { action, params, decision, resolution, agent } = item;
  const open = view.isBegun(item.op_id) ? 'running' : 'waiting';
  const ending = decision ?? resolution?.reason ?? (item.status === 'running' ? open : item.status);
  return [
    span('  ↳ ', { dim: true }),
    ...(agent === undefined ? BLANK : [span(`${agent} › `, { colour: 'magenta' })]),
    span(`${machineName(item)}: ${action} ${callSummary(action, params)}`, { dim: true }),
    span(`  ${ending}`, decision === 'deny' || item.status === 'failed' ? { colour: 'red' } : { dim: true }),
  ];
}

/** A request for consent names the machine that executes the operation. */
function machineName({ kind, hands }: Of<'client_op' | 'consent_request'>): string {
  if (kind === 'client_op') return 'on this machine';
  return hands === null || hands === undefined ? 'on the server' : `on ${hands}`;
}

function imageSpan(item: Of<'image'>, view: ItemView): Span {
  const address = view.addressOf(item.url);
  const link = webAddress(address);
  return span(`🖼 ${item.media_type} ${address}`, { colour: 'blue', ...(link !== null && { link }) });
}

const unknownLine = (item: never, width: number): Line =>
  fit(line(`[${(item as Item).kind}: not supported by this client]`, { dim: true }), width);
