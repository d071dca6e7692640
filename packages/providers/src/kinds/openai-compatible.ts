/** Any server with POST {base_url}/chat/completions: OpenRouter, Groq, Ollama, vLLM, llama.cpp, ... */
import { chatCompletions } from '../chat-completions/model.ts';
import { CHAT_COMPLETIONS_SCHEMAS } from '../schema/rules.ts';
import { nineLetterCallId, plainName, visibleCallId } from '../wire/call.ts';
import { reasoningFor } from '../wire/effort.ts';
import type { ProviderKind } from '../wire/kind.ts';

export const openaiCompatible: ProviderKind = {
  usual_path: '/v1',
  lists_models: true,
  async open(access) {
    if (!access.base_url) throw new Error(`The provider ${access.name} needs a base_url.`);
    const base_url = access.base_url;
    return {
      connect: (model, connection) => chatCompletions(access, model, connection),

      options({ request, thinks, renamed }) {
        const reasoning = reasoningFor(request.effort, thinks);
        return {
          reasoning: reasoning === 'none' ? access.off : reasoning,
          maxOutputTokens: request.max_output_tokens,
          ...(renamed && { providerOptions: { compatible: { renamed } } }),
        };
      },

      callId: new URL(base_url).hostname.endsWith('mistral.ai') ? nineLetterCallId : visibleCallId,
      toolName: plainName,
      schemas: CHAT_COMPLETIONS_SCHEMAS,
    };
  },
};
