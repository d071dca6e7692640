/** Anthropic's Messages API: signed thinking goes back as it came, and the prompt's prefix is marked for the cache. */
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import { plainCallId } from '../wire/call-id.ts';
import { reasoningFor } from '../wire/effort.ts';
import type { ProviderKind } from '../wire/kind.ts';
import { overFetch, packaged } from '../wire/packaged.ts';

const BASE_URL = 'https://api.anthropic.com/v1';
/** Models up to 4.5, where thinking is off unless a request asks for it by a budget of tokens. */
const THINKS_BY_BUDGET = /claude-(?:\d|(?:opus|sonnet|haiku)-4(?!-[6-9](?!\d)))/;

export const anthropic: ProviderKind = {
  usual_path: '/v1',
  maker: { vendor: 'anthropic', key_variables: ['ANTHROPIC_API_KEY'] },
  open: overFetch(async access => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return {
      connect: (model, { fetch }) =>
        packaged(
          createAnthropic({
            baseURL: access.base_url ?? BASE_URL,
            apiKey: access.api_key ?? '',
            headers: access.headers,
            fetch,
          }).messages(model),
        ),

      options({ entry, request, prompt, thinks }) {
        const claude = entry.name.includes('claude-');
        const byBudget = !claude || THINKS_BY_BUDGET.test(entry.name);
        let reasoning = reasoningFor(request.effort, thinks);
        if (byBudget && (reasoning === 'none' || inUnthoughtLoop(prompt))) reasoning = undefined;
        // The API wants a limit with each request; the package knows the right one of every Claude.
        const known = claude && entry.assumed.max_output_tokens;
        return {
          reasoning,
          maxOutputTokens: request.max_output_tokens ?? (known ? undefined : entry.record.max_output_tokens),
        };
      },

      callId: plainCallId,
      mark: markCache,
    };
  }),
};

/**
 * True where the model waits for results of calls that it made without (returnable) thinking: thinking by
 * budget can't be turned on in the middle of such a loop.
 */
function inUnthoughtLoop(prompt: LanguageModelV4Prompt): boolean {
  const at = prompt.findLastIndex(message => message.role === 'assistant');
  // A user's message behind the results does not end the loop: a cancelled turn leaves just that.
  const answered = prompt.slice(at + 1).some(message => message.role === 'tool');
  const calling = prompt[at];
  return answered && calling?.role === 'assistant' && calling.content[0]?.type !== 'reasoning';
}

/**
 * Sets the four marks that a request may carry: on the tools, the system prompt, the newest message, and the
 * newest message of the request before this one, where the cache was written then. A prompt that comes only once
 * has no marks: writing to the cache costs more than reading from it saves.
 */
function markCache(
  prompt: LanguageModelV4Prompt,
  tools: LanguageModelV4FunctionTool[],
  cache: ModelRequest['cache'],
): void {
  if (cache === 'nothing') return;
  const lastTool = tools.at(-1);
  if (lastTool) tools[tools.length - 1] = marked(lastTool);
  let marks = cache === 'system' ? 0 : 2;
  let assistantBetween = true;
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index]!;
    switch (message.role) {
      case 'system':
        prompt[index] = marked(message);
        break;
      case 'assistant':
        assistantBetween = true;
        break;
      case 'user':
      case 'tool':
        if (marks > 0 && assistantBetween) {
          prompt[index] = marked(message);
          marks -= 1;
          assistantBetween = false;
        }
        break;
      default:
        message satisfies never;
    }
  }
}

/** Returns a marked copy: the message itself is kept for the next request, where the mark stands elsewhere. */
const marked = <T extends object>(target: T): T => ({
  ...target,
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
