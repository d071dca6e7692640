/**
 * Lists the kinds with an API, in order of preference: the first whose key is found provides the default model. The
 * setting `kind` and this list are checked against each other; everything else about a kind is in its file.
 */
import type { ProviderSettings } from '@chat-kernel/protocol';
import type { ProviderKind } from '../wire/kind.ts';
import { aiSdk } from './ai-sdk.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';

/** The demo has no API: its model is built in. */
type WiredKind = Exclude<ProviderSettings['kind'], 'demo'>;

export const KINDS: Record<WiredKind, ProviderKind> = {
  anthropic,
  openai,
  google,
  'openai-compatible': openaiCompatible,
  'ai-sdk': aiSdk,
};
