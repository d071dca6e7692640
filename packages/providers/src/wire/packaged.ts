/** Adapts provider packages of the AI SDK, which use Node's fetch. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { warmFetch } from '../trip/connection.ts';
import type { ProviderKind } from './kind.ts';
import type { WireModel } from './wire.ts';

/** Prepares fetch while the package is imported, because both take time. */
export const overFetch =
  (open: ProviderKind['open']): ProviderKind['open'] =>
  access => {
    void warmFetch();
    return open(access);
  };

/** Adapts a model of a provider package. */
export function packaged(model: LanguageModelV4): WireModel {
  return {
    async open(request) {
      const reader = (await model.doStream(request)).stream.getReader();
      return {
        async read() {
          const { done, value } = await reader.read();
          return done ? null : [value];
        },
      };
    },
  };
}
