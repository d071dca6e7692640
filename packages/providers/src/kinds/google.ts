/** Google's Gemini API; its thought signatures stand on texts, thoughts and calls, and go back on them. */
import { plainCallId } from '../wire/call-id.ts';
import { reasoningFor } from '../wire/effort.ts';
import { type Kind, packaged } from '../wire/wire.ts';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

export const google: Kind = async access => {
  const { createGoogle } = await import('@ai-sdk/google');
  return {
    connect: (model, { fetch }) =>
      packaged(
        createGoogle({
          baseURL: access.base_url ?? BASE_URL,
          apiKey: access.api_key ?? '',
          headers: access.headers,
          fetch,
        }).chat(model),
      ),

    options({ entry, request, thinks }) {
      const reasoning = reasoningFor(request.effort, thinks);
      return {
        reasoning,
        maxOutputTokens: request.max_output_tokens,
        providerOptions: {
          google: {
            ...(reasoning && reasoning !== 'none' && { thinkingConfig: { includeThoughts: true } }),
            // Models that draw do it only when asked for both.
            ...(/image|banana/.test(entry.name) && { responseModalities: ['TEXT', 'IMAGE'] }),
          },
        },
      };
    },

    // A thought is wanted back for its signature alone.
    tidy: parts =>
      parts.filter(
        part => part.type !== 'reasoning' || part.providerOptions?.google?.thoughtSignature != null,
      ),
    callId: plainCallId,
  };
};
