/** OpenAI's Responses API. OpenAI stores nothing: thinking arrives encrypted, and is sent back encrypted. */
import { ResponsesReader } from '../answers/responses.ts';
import { isStrict } from '../prompt/response-format.ts';
import { OPENAI_SCHEMAS } from '../schema/rules.ts';
import { plainCallId, plainName } from '../wire/call.ts';
import { type Reasoning, reasoningFor } from '../wire/effort.ts';
import type { ProviderKind } from '../wire/kind.ts';
import { writtenByPackage } from '../wire/packaged.ts';
import type { AssistantPart } from '../wire/wire.ts';

const BASE_URL = 'https://api.openai.com/v1';
/** The API refuses a smaller limit. */
const MIN_OUTPUT_TOKENS = 16;

export const openai: ProviderKind = {
  usual_path: '/v1',
  maker: { vendor: 'openai', key_variables: ['OPENAI_API_KEY'] },
  async open(access) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return {
      connect: (model, connection) =>
        writtenByPackage(
          settings => createOpenAI(settings).responses(model),
          () => new ResponsesReader(access.name),
          connection,
          { base_url: BASE_URL, ...access },
        ),

      options({ entry, request, thinks, quiet }) {
        const reasoning = toReasoning(entry.name, reasoningFor(request.effort, thinks));
        const limit = request.max_output_tokens;
        return {
          reasoning,
          maxOutputTokens: limit === undefined ? undefined : Math.max(limit, MIN_OUTPUT_TOKENS),
          providerOptions: {
            openai: {
              store: false,
              ...(request.schema && { strictJsonSchema: isStrict(request.schema) }),
              promptCacheKey: request.cache_key,
              // Null, because otherwise the package requests the most detailed summary.
              reasoningSummary: quiet || !reasoning || reasoning === 'none' ? null : 'auto',
              // The package knows OpenAI's model names; for any other model it needs this option.
              ...(thinks && !entry.assumed.efforts && { forceReasoning: true }),
            },
          },
        };
      },

      tidy: withoutUnfinishedThinking,
      callId: plainCallId,
      toolName: plainName,
      schemas: OPENAI_SCHEMAS,
    };
  },
};

/** Translates `off` for models that cannot run without thinking: their lowest level, or their default. */
function toReasoning(model: string, reasoning: Reasoning | undefined): Reasoning | undefined {
  if (reasoning !== 'none') return reasoning;
  if (/-pro\b/.test(model)) return undefined;
  return /^o\d|codex/.test(model) ? 'low' : 'none';
}

/**
 * A reasoning item can be sent back only with its encrypted content, which arrives at its very end and is on its last
 * part. An interrupted response has none.
 */
function withoutUnfinishedThinking(parts: AssistantPart[]): AssistantPart[] {
  const finished = new Set<unknown>();
  for (const part of parts) {
    const metadata = part.providerOptions?.openai;
    if (part.type === 'reasoning' && metadata?.reasoningEncryptedContent) finished.add(metadata.itemId);
  }
  return parts.filter(
    part => part.type !== 'reasoning' || finished.has(part.providerOptions?.openai?.itemId),
  );
}
