/**
 * Google's Gemini API. Its thought signatures are attached to texts, thoughts and calls, and are sent back with them.
 */
import { GeminiReader } from '../answers/gemini.ts';
import { GOOGLE_SCHEMAS } from '../schema/rules.ts';
import { googleName, plainCallId } from '../wire/call.ts';
import { reasoningFor } from '../wire/effort.ts';
import type { ProviderKind } from '../wire/kind.ts';
import { writtenByPackage } from '../wire/packaged.ts';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

export const google: ProviderKind = {
  usual_path: '/v1beta',
  maker: {
    vendor: 'google',
    key_variables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  },
  async open(access) {
    const { createGoogle } = await import('@ai-sdk/google');
    return {
      connect: (model, connection) =>
        writtenByPackage(
          settings => createGoogle(settings).chat(model),
          () => new GeminiReader(access.name),
          connection,
          { base_url: BASE_URL, ...access },
        ),

      options({ entry, request, thinks }) {
        const reasoning = reasoningFor(request.effort, thinks);
        return {
          reasoning,
          maxOutputTokens: request.max_output_tokens,
          providerOptions: {
            google: {
              ...(reasoning && reasoning !== 'none' && { thinkingConfig: { includeThoughts: true } }),
              // Models that generate images do so only if both are requested.
              ...(/image|banana/.test(entry.name) && { responseModalities: ['TEXT', 'IMAGE'] }),
            },
          },
        };
      },

      // Google needs a thought back only for its signature.
      tidy: parts =>
        parts.filter(
          part => part.type !== 'reasoning' || part.providerOptions?.google?.thoughtSignature != null,
        ),
      callId: plainCallId,
      toolName: googleName,
      schemas: GOOGLE_SCHEMAS,
    };
  },
};
