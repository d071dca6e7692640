/** Truncates old tool output so that a turn can continue (HIST-2). Nothing is deleted; the model gets stubs. */
import { cutText } from '@chat-kernel/text';
import type { ToolResult } from '../items/to-items.ts';
import { estimateTokens } from '../model/token-estimate.ts';
import type { NewMessage, StoredBlock } from '../ports/index.ts';

/** Shorter output is not worth truncating. */
const MIN_CHARS = 1000;
/** The number of characters kept at each end of output that could only be reproduced by another external effect. */
const END_CHARS = 300;

interface Squeeze {
  call_ids: string[];
  /** The characters of the output, less those of the stubs. */
  freed_chars: number;
}

/** Selects the oldest output with this number of tokens in total, or all; output of the latest step is kept. */
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
      if (block.type !== 'tool_result' || block.output.length < MIN_CHARS || isStub(block)) continue;
      squeeze.call_ids.push(block.tool_use_id);
      squeeze.freed_chars += block.output.length - renderStub(block, names, hasOutsideEffect).length;
    }
  }
  return squeeze;
}

/** The ids of calls whose output was truncated, as recorded in the history. */
export const listSqueezed = (messages: readonly NewMessage[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap(({ internal }) => internal?.squeezed ?? []));

/** Returns the messages as the model gets them, with a stub in place of each truncated output. */
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
      return { ...block, output: renderStub(block, names, hasOutsideEffect) };
    });
    return { ...message, content };
  });
}

const STUB_PREFIX = '[folded to make room: ';

/** The text that replaces an output. @param names names of tools by the ids of their calls */
function renderStub(
  { output, tool_use_id }: ToolResult,
  names: ReadonlyMap<string, string>,
  hasOutsideEffect: (tool: string) => boolean,
): string {
  const name = names.get(tool_use_id) ?? 'the tool';
  const intro = `${STUB_PREFIX}this output of ${name} had ${output.length} characters.`;
  if (!hasOutsideEffect(name)) return `${intro} To get it again, call ${name} with the same input.]`;
  const head = cutText(output, END_CHARS);
  const tail = output.slice(-END_CHARS).replace(/^[\udc00-\udfff]/, '');
  return `${intro} Repeating the call would repeat its effect. Its start and end:]\n${head}\n[...]\n${tail}`;
}

/** Whether the block is the result of a call that the model made. */
const isResult = ({ type, internal }: StoredBlock): boolean => type === 'tool_result' && !internal?.kernel;

const isStub = ({ output }: ToolResult): boolean => output.startsWith(STUB_PREFIX);
