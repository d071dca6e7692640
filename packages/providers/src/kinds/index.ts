/** THE list of kinds. A new kind is a file beside this one and a line here. */
import type { ProviderSettings } from '@chat-kernel/protocol';
import { warmFetch } from '../trip/connection.ts';
import type { Kind } from '../wire/wire.ts';
import { aiSdk } from './ai-sdk.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';

/** The demo has no wire: it is a model of its own. */
export type WiredKind = Exclude<ProviderSettings['kind'], 'demo'>;

export const KINDS: Record<WiredKind, Kind> = {
  openai: overFetch(openai),
  'openai-compatible': openaiCompatible,
  anthropic: overFetch(anthropic),
  google: overFetch(google),
  'ai-sdk': overFetch(aiSdk),
};

/** A kind whose package talks through fetch, which is made ready while the package is imported. */
function overFetch(kind: Kind): Kind {
  return access => {
    void warmFetch();
    return kind(access);
  };
}
