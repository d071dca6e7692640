/**
 * Implements POST /chat/completions without a package: most servers use this API, and each token takes a third of the
 * time that it takes with a package (docs/decisions/0007).
 */
import { StreamedAnswer } from '../answers/answer.ts';
import { ChatCompletionsReader } from '../answers/chat-completions.ts';
import type { TripConnection } from '../trip/connection.ts';
import { endpoint } from '../wire/endpoint.ts';
import type { ProviderAccess } from '../wire/kind.ts';
import type { WireModel } from '../wire/wire.ts';
import { buildBody } from './body.ts';

export function chatCompletions(
  access: ProviderAccess,
  model: string,
  connection: TripConnection,
): WireModel {
  return {
    async open({ prompt, tools, reasoning, maxOutputTokens, responseFormat, providerOptions }) {
      const limit = providerOptions?.compatible?.renamed ? 'max_completion_tokens' : 'max_tokens';
      const body = await buildBody({
        model,
        prompt,
        ...(tools && { tools }),
        ...(reasoning !== undefined && { reasoning_effort: reasoning }),
        ...(maxOutputTokens !== undefined && { [limit]: maxOutputTokens }),
        ...(responseFormat?.schema && { schema: responseFormat.schema }),
      });
      const answer = new StreamedAnswer(new ChatCompletionsReader(access.name));
      await connection.post(endpoint(access, '/chat/completions'), buildHeaders(access), body, answer);
      return answer;
    },
  };
}

const buildHeaders = ({ api_key, headers }: ProviderAccess): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'text/event-stream',
  ...(api_key && { authorization: `Bearer ${api_key}` }),
  ...headers,
});
