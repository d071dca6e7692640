/**
 * Divides a chat into printed lines and lines that are redrawn. Printed lines move to the terminal's scrollback and cannot
 * change. An item is printed when it and all earlier ones are finished; a streaming answer is printed block by block.
 */
import type { Item } from '@chat-kernel/protocol';
import { MarkdownStream } from '@chat-kernel/text/markdown';
import { itemLines } from '../items/item-lines.ts';
import type { ItemView } from '../items/view.ts';
import { blocksLines } from '../markdown/block.ts';
import { BLANK, type Line, line } from '../text/line.ts';

export interface PrintedChunk {
  readonly key: string;
  readonly lines: readonly Line[];
}

interface Streaming {
  stream: MarkdownStream;
  text: string;
  printed: number;
  /** Cached lines of the unprinted rest, which is drawn more often than it changes. */
  rest?: { text: string; width: number; lines: Line[] };
}

export class Scrollback {
  /** Printed chunks in order, append-only. */
  readonly chunks: PrintedChunk[] = [];
  readonly #done = new Set<string>();
  readonly #streams = new Map<string, Streaming>();

  /**
   * Prints the items that have finished since the last call. Items of a live turn return in the history with other ids, and
   * are matched by their position in the turn (ITEM-11).
   * @returns the lines of the unfinished rest
   */
  advance(items: readonly Item[], view: ItemView): Line[] {
    const live: Line[] = [];
    const keyOf = keys();
    let blocked = false;
    for (const item of items) {
      const key = keyOf(item);
      // The screen shows the plan above the input.
      if (item.kind === 'plan' || this.#done.has(key)) continue;
      const open = item.status === 'running';
      if (item.kind === 'agent_message') {
        if (!blocked) this.#printBlocks(key, item.text, open, view);
        if (blocked || open) live.push(...this.#unprinted(key, item.text, view));
      } else if (open || blocked) {
        live.push(...gapBefore(item), ...itemLines(item, view));
      } else {
        this.#print(key, [...gapBefore(item), ...itemLines(item, view)]);
        this.#done.add(key);
      }
      blocked ||= open;
    }
    return live;
  }

  #printBlocks(key: string, text: string, open: boolean, view: ItemView): void {
    const streaming = this.#grow(key, text, !open);
    const { stream, printed } = streaming;
    const fresh = stream.blocks.slice(printed);
    fresh.forEach((block, index) => {
      const gap = printed + index === 0 || !block.glued ? [BLANK] : [];
      this.#print(`${key}#${printed + index}`, [...gap, ...blocksLines([block], view)]);
    });
    streaming.printed = stream.blocks.length;
    if (open) return;
    this.#streams.delete(key);
    this.#done.add(key);
  }

  #unprinted(key: string, text: string, view: ItemView): Line[] {
    const streaming = this.#grow(key, text, false);
    const { stream, printed, rest: known } = streaming;
    if (known?.text === text && known.width === view.width) return known.lines;
    const blocks = [...stream.blocks.slice(printed), ...stream.rest()];
    const gap = blocks.length > 0 && (printed === 0 || !blocks[0]!.glued) ? [BLANK] : [];
    const lines = [...gap, ...blocksLines(blocks, view)];
    streaming.rest = { text, width: view.width, lines };
    return lines;
  }

  /** @param ended whether the text is final; if it differs from the streamed text, all of it is printed again */
  #grow(key: string, text: string, ended: boolean): Streaming {
    let streaming = this.#streams.get(key);
    const changed = streaming !== undefined && !continues(streaming.text, text, ended);
    if (streaming === undefined || changed) {
      if (changed && streaming!.printed > 0) {
        this.#print(`${key}!`, [BLANK, line('── corrected ──', { dim: true })]);
      }
      streaming = { stream: new MarkdownStream(), text: '', printed: 0 };
      this.#streams.set(key, streaming);
    }
    streaming.stream.push(text.slice(streaming.text.length));
    streaming.text = text;
    if (ended) streaming.stream.finish();
    return streaming;
  }

  #print(key: string, lines: readonly Line[]): void {
    if (lines.length > 0) this.chunks.push({ key, lines });
  }
}

/** Whether a text continues the streamed one, ignoring trailing white space. */
function continues(streamed: string, text: string, ended: boolean): boolean {
  if (text.length < streamed.length)
    return streamed.startsWith(text) && streamed.slice(text.length).trim() === '';
  return !ended || text.startsWith(streamed);
}

/** Operations follow their tool call without a gap. */
const gapBefore = (item: Item): Line[] =>
  ['client_op', 'consent_request'].includes(item.kind) ? [] : [BLANK];

/** Returns a function that assigns each item a key, which stays the same in its later forms. */
function keys(): (item: Item) => string {
  const ordinals = new Map<string, number>();
  return item => {
    switch (item.kind) {
      case 'tool_call':
        return `call:${item.call_id}`;
      case 'client_op':
        return `op:${item.op_id}`;
      case 'consent_request':
        return `consent:${item.op_id}`;
      case 'image':
        return `image:${item.image_id}`;
      case 'user_message':
        return `user:${item.message_id}`;
      default:
        return keyByPosition(item, ordinals);
    }
  };
}

function keyByPosition({ id, kind, turn_id }: Item, ordinals: Map<string, number>): string {
  if (turn_id === null) return id;
  const position = `${turn_id}/${kind}`;
  const ordinal = ordinals.get(position) ?? 0;
  ordinals.set(position, ordinal + 1);
  return `${position}/${ordinal}`;
}
