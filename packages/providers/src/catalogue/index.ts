/**
 * The known facts of models before their provider is asked: window, output limit, efforts, inputs, price. Settings
 * override them field by field. For unknown models the ASSUMED facts apply, and the price is null. Prices are those of
 * the public model index models.dev on 2026-07-02: base tier, USD per million tokens.
 */
import type { Model, ModelSettings } from '@chat-kernel/protocol';
import { ANTHROPIC, DEEPSEEK, GOOGLE, GROQ, MISTRAL, type ModelFacts, OPENAI, XAI } from './models.ts';

/** A model that a provider offers. */
export interface ModelEntry {
  /** The provider's name for the model. */
  name: string;
  record: Model;
  /** True for facts without a source: they are assumed. */
  assumed: { efforts: boolean; max_output_tokens: boolean };
}

/**
 * The facts of an unknown model: a window that most models since 2024 have, an output limit that no provider refuses,
 * every effort (if a model refuses one, the request is repeated without it, see trip/fallback.ts), and images.
 */
const ASSUMED: Omit<ModelFacts, 'name'> = {
  context_window: 128_000,
  max_output_tokens: 8_192,
  efforts: ['off', 'low', 'mid', 'high'],
  inputs: ['text', 'image'],
  price: null,
};

/** Vendor → model name → facts. The first model of a vendor is its default. */
const CATALOGUE = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  google: GOOGLE,
  xai: XAI,
  deepseek: DEEPSEEK,
  mistral: MISTRAL,
  groq: GROQ,
} as const satisfies Record<string, Record<string, ModelFacts>>;
export type Vendor = keyof typeof CATALOGUE;

/** Returns the names of a vendor's models. */
export const listVendorModels = (vendor: Vendor): string[] => Object.keys(CATALOGUE[vendor]);

/**
 * Merges the facts of the settings, the provider's list and the catalogue, in this order of precedence. A model of an
 * unknown vendor gets the facts of a model with the same name, but not the price, which its host sets.
 */
export function modelEntry(
  provider: { name: string; vendor?: Vendor },
  name: string,
  listed: Partial<ModelFacts> = {},
  settings: Partial<ModelSettings> = {},
): ModelEntry {
  const stated = { ...catalogued(name, provider.vendor), ...listed, ...settings };
  return {
    name,
    record: {
      id: `${provider.name}/${name}`,
      name: stated.name ?? name,
      provider: provider.name,
      effort: settings.effort ?? null,
      efforts: stated.efforts ?? ASSUMED.efforts,
      context_window: stated.context_window ?? ASSUMED.context_window,
      max_output_tokens: stated.max_output_tokens ?? ASSUMED.max_output_tokens,
      inputs: stated.inputs ?? ASSUMED.inputs,
      price: stated.price ?? ASSUMED.price,
    },
    assumed: {
      efforts: stated.efforts === undefined,
      max_output_tokens: stated.max_output_tokens === undefined,
    },
  };
}

function catalogued(name: string, vendor: Vendor | undefined): Partial<ModelFacts> {
  if (vendor) return lookUp(CATALOGUE[vendor], name) ?? {};
  for (const models of Object.values(CATALOGUE)) {
    const facts = lookUp(models, name);
    if (facts) return { ...facts, price: null };
  }
  return {};
}

/** Finds a model by its name, or by its name without the date. */
function lookUp(models: Record<string, ModelFacts>, name: string): ModelFacts | undefined {
  return models[name] ?? models[undated(name)];
}

/** Cuts the date off a name such as `claude-opus-4-5-20251101` or `gpt-5.1-2025-11-13`. */
export const undated = (name: string): string => name.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
