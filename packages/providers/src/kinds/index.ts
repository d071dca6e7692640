/**
 * THE list of kinds that have a wire, strongest first: the first whose key is found gives the default model. The
 * setting `kind` and this list force each other; all else about a kind stands in its file.
 */
import type { ProviderSettings } from '@chat-kernel/protocol';
import type { ProviderKind } from '../wire/kind.ts';
import { aiSdk } from './ai-sdk.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';

/** The demo has no wire: its model is built in. */
type WiredKind = Exclude<ProviderSettings['kind'], 'demo'>;

export const KINDS: Record<WiredKind, ProviderKind> = {
  anthropic,
  openai,
  google,
  'openai-compatible': openaiCompatible,
  'ai-sdk': aiSdk,
};
