/** Finds the part of a request that a provider refuses: its message names a tool or a message, by number or name. */
import type { ErrorReport } from '../trip/report.ts';

/** The lists of a request, by API: messages or items, and tools. */
export const MESSAGE_LISTS = ['messages', 'input', 'contents'];
/** The lists inside of a message whose elements can be refused separately. */
export const PART_LISTS = ['content', 'parts', 'tool_calls'];

/** A refused part. Numbers count from 0. */
export type RefusedPart =
  | { type: 'tool'; index: number }
  | { type: 'tool'; name: string }
  /** Without `part` and `at`, the whole message is refused. */
  | { type: 'message'; list: string; index: number; part?: { list: string; index: number } };

/** Characters of a refusal that are searched. */
const LONGEST_READ = 4 * 1024;
/** Separators of a path: `messages.5`, `messages[5]`, `messages -> 5`, `"messages", 5`. */
const STEP = String.raw`(?:\.|\[|\s*->\s*|['"]?,\s*)`;

// bounded: by LONGEST_READ.
const TOOL = new RegExp(
  String.raw`\b(?:tools|functions|(?:function_declarations|functionDeclarations))${STEP}(\d{1,4})`,
  'g',
);
const MESSAGE = new RegExp(
  String.raw`\b(${MESSAGE_LISTS.join('|')})${STEP}(\d{1,6})\]?(?:['"]?(?:\.|,\s*['"]?|\s*->\s*)(${PART_LISTS.join('|')})${STEP}(\d{1,4}))?`,
);
const QUOTED = /['"`]([\w.-]{1,128})['"`]/g;

/**
 * Returns the part that a refusal names; undefined if it names none.
 * @param tools the names of the tools in the request
 */
export function refusedPart(
  { sentence, body }: Pick<ErrorReport, 'sentence' | 'body'>,
  tools: readonly string[],
): RefusedPart | undefined {
  const words = `${sentence}\n${body}`.slice(0, LONGEST_READ);
  // Google counts the functions inside of a tool.
  const tool = [...words.matchAll(TOOL)].at(-1);
  const message = MESSAGE.exec(words);
  if (message && (!tool || message.index < tool.index)) {
    const [, list = '', index, inner, at] = message;
    const part = inner === undefined ? {} : { part: { list: inner, index: Number(at) } };
    return { type: 'message', list, index: Number(index), ...part };
  }
  if (/\b(?:tools?|functions?|schema)\b/i.test(words)) {
    const name = [...words.matchAll(QUOTED)]
      .map(([, quoted]) => quoted)
      .find(quoted => tools.includes(quoted!));
    if (name !== undefined) return { type: 'tool', name };
  }
  return tool ? { type: 'tool', index: Number(tool[1]) } : undefined;
}
