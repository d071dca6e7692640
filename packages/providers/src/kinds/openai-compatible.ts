/** Any server that speaks POST {base_url}/chat/completions: OpenRouter, Groq, Ollama, vLLM, llama.cpp, ... */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { nineLetterCallId } from './call-id.ts';
import { reasoningFor } from './effort.ts';
import type { Kind } from './kind.ts';

export const openaiCompatible: Kind = async access => {
  if (!access.base_url) throw new Error(`The provider ${access.name} needs a base_url.`);
  const baseURL = access.base_url;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return {
    connect: (model, fetch) =>
      createOpenAICompatible({
        name: 'compatible',
        baseURL,
        apiKey: access.api_key,
        headers: access.headers,
        fetch,
        includeUsage: true,
        convertUsage,
      }).chatModel(model),

    options({ request, thinks }) {
      const reasoning = reasoningFor(request.effort, thinks);
      return {
        reasoning: reasoning === 'none' ? access.off : reasoning,
        maxOutputTokens: request.max_output_tokens,
      };
    },

    callId: new URL(baseURL).hostname.endsWith('mistral.ai') ? nineLetterCallId : id => id,
  };
};

interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

/** Some servers (xAI) count reasoning beside the completion instead of inside it; the total gives them away. */
function convertUsage(usage: ChatUsage | null | undefined): LanguageModelV4Usage {
  const prompt = usage?.prompt_tokens ?? undefined;
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
  let completion = usage?.completion_tokens ?? undefined;
  if (reasoning && usage?.total_tokens === (prompt ?? 0) + (completion ?? 0) + reasoning) {
    completion = (completion ?? 0) + reasoning;
  }
  return {
    inputTokens: { total: prompt, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: completion, text: undefined, reasoning },
  };
}
