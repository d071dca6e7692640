/**
 * Anthropic's Messages API: signed thinking is sent back unchanged, and the prompt's prefix is marked for the cache.
 */
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import { MessagesReader } from '../answers/messages.ts';
import { ANTHROPIC_SCHEMAS } from '../schema/rules.ts';
import { plainCallId, plainName } from '../wire/call.ts';
import { reasoningFor } from '../wire/effort.ts';
import type { ProviderKind } from '../wire/kind.ts';
import { writtenByPackage } from '../wire/packaged.ts';

const BASE_URL = 'https://api.anthropic.com/v1';
/** Models up to 4.5, which think only if a request sets a budget of tokens. */
const THINKS_BY_BUDGET = /claude-(?:\d|(?:opus|sonnet|haiku)-4(?!-[6-9](?!\d)))/;

export const anthropic: ProviderKind = {
  usual_path: '/v1',
  maker: { vendor: 'anthropic', key_variables: ['ANTHROPIC_API_KEY'] },
  async open(access) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return {
      connect: (model, connection) =>
        writtenByPackage(
          settings => createAnthropic(settings).messages(model),
          () => new MessagesReader(access.name),
          connection,
          { base_url: BASE_URL, ...access },
        ),

      options({ entry, request, prompt, thinks }) {
        const claude = entry.name.includes('claude-');
        const byBudget = !claude || THINKS_BY_BUDGET.test(entry.name);
        let reasoning = reasoningFor(request.effort, thinks);
        if (byBudget && (reasoning === 'none' || isInLoopWithoutThinking(prompt))) reasoning = undefined;
        // The API requires a limit in each request; the package knows the right one of every Claude.
        const known = claude && entry.assumed.max_output_tokens;
        return {
          reasoning,
          maxOutputTokens: request.max_output_tokens ?? (known ? undefined : entry.record.max_output_tokens),
        };
      },

      callId: plainCallId,
      toolName: plainName,
      schemas: ANTHROPIC_SCHEMAS,
      mark: markCache,
    };
  },
};

/**
 * True if the model waits for results of calls that it made without (returnable) thinking: thinking by budget cannot be
 * turned on within such a loop.
 */
function isInLoopWithoutThinking(prompt: LanguageModelV4Prompt): boolean {
  const lastAssistant = prompt.findLastIndex(message => message.role === 'assistant');
  // A user's message after the results does not end the loop: a cancelled turn leaves this state.
  const answered = prompt.slice(lastAssistant + 1).some(message => message.role === 'tool');
  const calling = prompt[lastAssistant];
  return answered && calling?.role === 'assistant' && calling.content[0]?.type !== 'reasoning';
}

/**
 * Sets the four cache marks that a request may have: on the tools, the system prompt, the newest message, and the
 * newest message of the previous request, up to which the cache was written. A prompt that is sent only once has no
 * marks: writing to the cache costs more than reading from it saves.
 */
function markCache(
  prompt: LanguageModelV4Prompt,
  tools: LanguageModelV4FunctionTool[],
  cache: ModelRequest['cache'],
): void {
  if (cache === 'nothing') return;
  const lastTool = tools.at(-1);
  if (lastTool) tools[tools.length - 1] = withCacheMark(lastTool);
  let marks = cache === 'system' ? 0 : 2;
  let assistantBetween = true;
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index]!;
    switch (message.role) {
      case 'system':
        prompt[index] = withCacheMark(message);
        break;
      case 'assistant':
        assistantBetween = true;
        break;
      case 'user':
      case 'tool':
        if (marks > 0 && assistantBetween) {
          prompt[index] = withCacheMark(message);
          marks -= 1;
          assistantBetween = false;
        }
        break;
      default:
        message satisfies never;
    }
  }
}

/** Returns a marked copy: the message itself is reused for the next request, where the mark is elsewhere. */
const withCacheMark = <T extends object>(target: T): T => ({
  ...target,
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
