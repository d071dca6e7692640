/** Says which part of a prompt fills the context window of its model, and what the user can do about it. */
import { forStranger } from '../history/for-stranger.ts';
import type { History } from '../history/history.ts';
import { estimateMessageTokens, estimateTokens, prefixChars } from '../model/token-estimate.ts';
import type { StoredBlock, Tool } from '../ports/index.ts';
import type { Run } from './running-turn.ts';
import type { TurnSetup } from './turn-setup.ts';

type PromptSetup = Pick<TurnSetup, 'model' | 'tools' | 'prompt_parts'>;

/** A part of a prompt that the user can make smaller. */
interface Part {
  /** The subject of a sentence. */
  subject: string;
  isPlural: boolean;
  /** The beginning of a sentence that tells the user what to do; continued after a comma. */
  advice: string;
  kind: 'prompt' | 'tools' | 'messages';
}

/** How the text names a part. */
type Named = Omit<Part, 'kind'>;

const LARGER_MODEL = 'or choose a model with a larger window.';

/**
 * Names the largest part of the next provider request with its tokens, and what to do, in two or three sentences. All
 * sizes are estimates. The time is linear in the size of the prompt.
 */
export async function describeFullWindow(run: Run, setup: PromptSetup): Promise<string> {
  const history = await run.history();
  const { context, record } = run.turn;
  const messages = context.trusted ? history.messages : forStranger(history, record.id);
  const sizes = new Sizes();
  for (const { text, ...named } of setup.prompt_parts) {
    sizes.add({ ...named, kind: 'prompt' }, estimateTokens(text.length));
  }
  for (const tool of setup.tools.values()) {
    sizes.add(partOfTool(tool), estimateTokens(prefixChars({ system: '', tools: [tool] })));
  }
  addMessages(sizes, { ...history, messages }, record.id);
  return sizes.describe(setup.model.record.context_window);
}

class Sizes {
  readonly #parts = new Map<string, Part & { tokens: number }>();

  /** @param key what else belongs to the part; absent: all with this subject */
  add(part: Part, tokens: number, key = part.subject): void {
    const before = this.#parts.get(key);
    if (before === undefined) this.#parts.set(key, { ...part, tokens });
    else before.tokens += tokens;
  }

  describe(window: number): string {
    const parts = [...this.#parts.values()];
    const largest = parts.reduce((most, part) => (part.tokens > most.tokens ? part : most), EMPTY);
    const { subject, isPlural, kind, tokens, advice } = largest;
    const [fill, take, are] = isPlural ? ['fill', 'take', 'are'] : ['fills', 'takes', 'is'];
    const size = `(${formatTokens(tokens)} of ${formatTokens(window)} tokens)`;
    const together = parts.reduce((sum, part) => (part.kind === kind ? sum + part.tokens : sum), 0);
    return [
      tokens > window
        ? `${subject} ${are} larger than the context window ${size}.`
        : tokens * 2 > window
          ? `${subject} ${fill} most of the context window ${size}.`
          : `${subject} ${take} the largest part of the context window ${size}.`,
      ...(kind !== 'prompt' && tokens * 2 < together
        ? [`All ${kind} together need ${formatTokens(together)} tokens.`]
        : []),
      `${advice}, ${LARGER_MODEL}`,
    ].join(' ');
  }
}

/** A number of tokens, rounded because it is an estimate. */
function formatTokens(tokens: number): string {
  const rounded = tokens < 1000 ? tokens : Math.round(tokens / 100) * 100;
  return rounded.toLocaleString('en-US');
}

const MESSAGES: Part = {
  subject: 'The messages of the chat',
  isPlural: true,
  kind: 'messages',
  advice: 'Begin a new chat',
};
const EMPTY = { ...MESSAGES, tokens: 0 };
const SUMMARY: Part = {
  subject: 'The summary of the chat',
  isPlural: false,
  kind: 'messages',
  advice: 'Shorten it, begin a new chat',
};

function partOfTool({ source, group }: Tool): Part {
  const common = { isPlural: true, kind: 'tools' } as const;
  switch (source) {
    case 'extra':
      return { ...common, subject: 'The extra tools of the client', advice: 'Send fewer of them' };
    case 'builtin':
      return { ...common, subject: 'The built-in tools', advice: 'Load some of them on demand' };
    case 'module':
    case 'mcp':
      return {
        ...common,
        subject: `The tools of ${group.replace(/^mcp_/, '')}`,
        advice: 'Remove some of its tools, load them on demand',
      };
    default:
      return source satisfies never;
  }
}

/**
 * Adds the messages. A part is the text of one message, one result or one image. Blocks of the same state of a feature,
 * such as the memory, are one part.
 */
function addMessages(
  sizes: Sizes,
  { messages, summary }: Pick<History, 'messages' | 'summary'>,
  turnId: string,
): void {
  const names = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    for (const [n, block] of message.content.entries()) {
      // No model gets the notes of the kernel.
      if (block.internal?.note !== undefined) continue;
      if (block.type === 'tool_use') names.set(block.id, block.name);
      const tokens = estimateMessageTokens([{ content: [block] }]);
      const state = Object.keys(block.internal?.told ?? {})[0];
      if (summary !== null && index === 0) sizes.add(SUMMARY, tokens);
      else if (block.type === 'context' && state !== undefined) sizes.add(partOfState(state), tokens);
      else {
        const part = partOfBlock(block, names, message.turn_id === turnId);
        const isSinglePart = block.type === 'tool_result' || block.type === 'image';
        sizes.add({ ...part, kind: 'messages' }, tokens, `${message.id} ${isSinglePart ? n : part.subject}`);
      }
    }
  }
}

const partOfState = (name: string): Part => ({
  subject: `The ${name}`,
  isPlural: false,
  kind: 'messages',
  advice: 'Shorten it',
});

function partOfBlock(block: StoredBlock, names: ReadonlyMap<string, string>, isOfTurn: boolean): Named {
  const turn = isOfTurn ? 'this turn' : 'an earlier turn';
  const shorter = (subject: string, advice: string): Named => ({ subject, isPlural: false, advice });
  switch (block.type) {
    case 'text':
    case 'quote':
      return shorter(`A message of ${turn}`, 'Send less text at once');
    case 'context':
      return shorter(`The context of ${turn}`, 'Send less context');
    case 'thinking':
    case 'tool_use':
      return shorter(`A reply of the model in ${turn}`, 'Begin a new chat');
    case 'tool_result':
      return shorter(
        `A result of ${names.get(block.tool_use_id) ?? 'a tool'} in ${turn}`,
        'Let the model request less at once',
      );
    case 'image':
      return shorter(`An image of ${turn}`, 'Send fewer images at once');
    default:
      return block satisfies never;
  }
}
