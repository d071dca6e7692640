/**
 * Squeezing: old outputs of tools make room for a turn that goes on (HIST-2). Nothing is deleted; the model gets
 * stubs.
 */
import { cutText } from '@chat-kernel/protocol';
import type { ToolResult } from '../items/to-items.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

/** Outputs of fewer characters would free too little. */
const LEAST_CHARS = 1000;
/** The characters that stay at each end of an output which only another effect on the world would bring again. */
const END_CHARS = 300;

interface Squeeze {
  call_ids: string[];
  /** The characters of the outputs, less those of their stubs. */
  freed_chars: number;
}

/**
 * The squeeze of the oldest outputs that have so many tokens together, or of all there are; outputs of the latest
 * step stay.
 */
export function planSqueeze(
  messages: readonly NewMessage[],
  tokens: number,
  hasOutsideEffect: (tool: string) => boolean,
): Squeeze {
  const latest = messages.findLastIndex(({ content }) => content.some(isResult));
  const squeeze: Squeeze = { call_ids: [], freed_chars: 0 };
  const names = new Map<string, string>();
  for (const { content } of messages.slice(0, Math.max(0, latest))) {
    for (const block of content) {
      if (estimateTokens(squeeze.freed_chars) >= tokens) return squeeze;
      if (block.type === 'tool_use') names.set(block.id, block.name);
      if (block.type !== 'tool_result' || block.output.length < LEAST_CHARS || isStub(block)) continue;
      squeeze.call_ids.push(block.tool_use_id);
      squeeze.freed_chars += block.output.length - stubOf(block, names, hasOutsideEffect).length;
    }
  }
  return squeeze;
}

/** The ids of calls whose outputs were squeezed, as the history records them. */
export const squeezedIn = (messages: readonly NewMessage[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap(({ internal }) => internal?.squeezed ?? []));

/** The messages with a stub in the place of each squeezed output, as the model gets them. */
export function withStubs(
  messages: NewMessage[],
  squeezed: ReadonlySet<string>,
  hasOutsideEffect: (tool: string) => boolean,
): NewMessage[] {
  if (squeezed.size === 0) return messages;
  const names = new Map<string, string>();
  return messages.map(message => {
    for (const block of message.content) if (block.type === 'tool_use') names.set(block.id, block.name);
    if (!message.content.some(block => block.type === 'tool_result' && squeezed.has(block.tool_use_id))) {
      return message;
    }
    const content = message.content.map((block): StoredBlock => {
      if (block.type !== 'tool_result' || !squeezed.has(block.tool_use_id)) return block;
      return { ...block, output: stubOf(block, names, hasOutsideEffect) };
    });
    return { ...message, content };
  });
}

const BEGINNING = '[folded to make room: ';

/** The text that stands in the place of an output. @param names names of tools by the ids of their calls */
function stubOf(
  { output, tool_use_id }: ToolResult,
  names: ReadonlyMap<string, string>,
  hasOutsideEffect: (tool: string) => boolean,
): string {
  const name = names.get(tool_use_id) ?? 'the tool';
  const facts = `${BEGINNING}this output of ${name} had ${output.length} characters.`;
  if (!hasOutsideEffect(name)) return `${facts} Call ${name} with the same input to get it again.]`;
  const head = cutText(output, END_CHARS);
  const tail = output.slice(-END_CHARS).replace(/^[\udc00-\udfff]/, '');
  return `${facts} Getting it again would do it again; this is how it began and ended:]\n${head}\n[...]\n${tail}`;
}

/** Whether the block is the result of a call that the model made. */
const isResult = ({ type, internal }: StoredBlock): boolean => type === 'tool_result' && !internal?.kernel;

const isStub = ({ output }: ToolResult): boolean => output.startsWith(BEGINNING);
