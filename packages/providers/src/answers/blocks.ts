/** Makes the parts of texts and thinking. A block is open until another one begins or the answer ends. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type AnswerPart, isText } from './answer.ts';

type Kind = 'text' | 'reasoning';
type Metadata = Extract<LanguageModelV4StreamPart, { type: 'text-start' }>['providerMetadata'];

/** Begins a block. */
export const begin = (parts: AnswerPart[], kind: Kind, id: string, providerMetadata?: Metadata): void =>
  void parts.push({ type: `${kind}-start`, id, ...(providerMetadata && { providerMetadata }) });

/** Adds text. @param text anything but text is ignored */
export function grow(parts: AnswerPart[], kind: Kind, id: string, text: unknown): void {
  if (isText(text)) parts.push({ type: `${kind}-delta`, id, delta: text });
}

/** Adds metadata to the open block. */
export const sign = (parts: AnswerPart[], kind: Kind, id: string, providerMetadata: Metadata): void =>
  void parts.push({ type: `${kind}-delta`, id, delta: '', ...(providerMetadata && { providerMetadata }) });

export const end = (parts: AnswerPart[], kind: Kind, id: string, providerMetadata?: Metadata): void =>
  void parts.push({ type: `${kind}-end`, id, ...(providerMetadata && { providerMetadata }) });
