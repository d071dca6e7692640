/**
 * What of a chat is printed for good, and what still lives. The terminal keeps printed lines in its own scrollback and
 * nobody draws them again; only what is unfinished is redrawn. So an item is printed once it and all before it are
 * finished, and of an answer that streams its finished blocks are.
 */
import type { Item } from '@chat-kernel/protocol';
import { itemLines } from '../items/item-lines.ts';
import type { ItemView } from '../items/view.ts';
import { blocksLines } from '../markdown/block.ts';
import { MarkdownStream } from '../markdown/stream.ts';
import { BLANK, type Line, line } from '../text/line.ts';

export interface Chunk {
  readonly key: string;
  readonly lines: readonly Line[];
}

interface Streaming {
  stream: MarkdownStream;
  text: string;
  printed: number;
}

export class Scroll {
  /** Printed parts in their order; only ever appended to. */
  readonly chunks: Chunk[] = [];
  readonly #done = new Set<string>();
  readonly #streams = new Map<string, Streaming>();

  /**
   * Takes the chat as it is now, prints what is finished since, and draws the rest.
   * Items of a turn that were live and come again as history, under other ids, are known by their place in it (ITEM-11).
   * @returns the lines that live
   */
  advance(items: readonly Item[], view: ItemView): Line[] {
    const live: Line[] = [];
    const keyOf = keys();
    let blocked = false;
    for (const item of items) {
      const key = keyOf(item);
      // The plan is not history: the screen shows it at a place of its own.
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
    const { stream, printed } = this.#grow(key, text, false);
    const blocks = [...stream.blocks.slice(printed), ...stream.rest()];
    const gap = blocks.length > 0 && (printed === 0 || !blocks[0]!.glued) ? [BLANK] : [];
    return [...gap, ...blocksLines(blocks, view)];
  }

  /** @param ended the text is final: where it is not what was streamed, all of it is printed again below */
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

/** Whether a text is what was streamed and more of it; blanks at its end may have gone. */
function continues(streamed: string, text: string, ended: boolean): boolean {
  if (text.length < streamed.length)
    return streamed.startsWith(text) && streamed.slice(text.length).trim() === '';
  return !ended || text.startsWith(streamed);
}

/** An operation stands right under its call. */
const gapBefore = (item: Item): Line[] => (item.kind === 'client_op' ? [] : [BLANK]);

/** One name for an item and all its later forms. */
function keys(): (item: Item) => string {
  const ordinals = new Map<string, number>();
  return item => {
    if (item.kind === 'tool_call') return `call:${item.call_id}`;
    if (item.kind === 'client_op') return `op:${item.op_id}`;
    if (item.kind === 'image') return `image:${item.image_id}`;
    if (item.kind === 'user_message') return `user:${item.message_id}`;
    if (item.turn_id === null) return item.id;
    const place = `${item.turn_id}/${item.kind}`;
    const ordinal = ordinals.get(place) ?? 0;
    ordinals.set(place, ordinal + 1);
    return `${place}/${ordinal}`;
  };
}
