/** Lists the models that a provider offers, with the facts of the settings, the provider and the catalogue. */
import type { LanguageModel } from '@chat-kernel/kernel';
import { isSecretValue, type Settings } from '@chat-kernel/protocol';
import { listVendorModels, modelEntry } from './catalogue/index.ts';
import type { ModelFacts } from './catalogue/models.ts';
import type { ConfiguredProvider } from './configured.ts';
import { languageModel, type ModelPorts, type Provider } from './language-model.ts';
import { listModels } from './listing.ts';
import { listingProblem, type TellProblem } from './problem.ts';
import type { ProviderWire } from './wire/wire.ts';

type LlmSettings = Settings['llm'];

export interface ProviderOffer {
  provider: Provider;
  models: LanguageModel[];
  usable: boolean;
}

export async function listProviderModels(
  facts: ConfiguredProvider,
  llm: LlmSettings,
  ports: ModelPorts,
  secrets: readonly string[],
  tell: TellProblem,
): Promise<ProviderOffer> {
  const { access, kind } = facts;
  const listed = await listModelFacts(facts, llm, tell);
  const provider: Provider = {
    ...calledProvider(facts, secrets),
    wire: onceImported(() => kind.open(access)),
  };
  const models = [...listed].map(([name, more]) => {
    const settings = findModelSettings(llm, `${access.name}/${name}`);
    const owner = { name: access.name, ...(facts.vendor && { vendor: facts.vendor }) };
    return languageModel(provider, modelEntry(owner, name, more, settings), ports);
  });
  return { provider, models, usable: facts.usable };
}

/**
 * Builds the facts of a provider that calls and errors need.
 * @param secrets texts that messages must not contain, besides the provider's own
 */
export function calledProvider(
  { access, kind, timeoutSecs }: ConfiguredProvider,
  secrets: readonly string[],
): Omit<Provider, 'wire'> {
  return {
    name: access.name,
    timeoutSecs,
    secrets: [access.api_key ?? '', ...secretHeaders(access.headers), ...secrets],
    ...missingPath(access.base_url, kind.usual_path),
  };
}

/** An address without a path usually lacks the path of its kind. */
const missingPath = (base: string | undefined, usual: string | undefined): Pick<Provider, 'missing_path'> =>
  base && usual && new URL(base).pathname === '/' ? { missing_path: usual } : {};

const secretHeaders = (headers: Record<string, string> = {}): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (isSecretValue(name, value) ? [value] : []));

/**
 * Returns the names of a provider's models. Those of the settings come first. The vendor's own address also serves the
 * catalogue. Another address is asked for its list, but only if the settings name no model of it.
 */
async function listModelFacts(
  facts: ConfiguredProvider,
  llm: LlmSettings,
  tell: TellProblem,
): Promise<Map<string, Partial<ModelFacts>>> {
  const { access, kind, vendor } = facts;
  const prefix = `${access.name}/`;
  const named = llm.models
    .filter(model => model.id.startsWith(prefix))
    .map(model => model.id.slice(prefix.length));
  const names = new Map<string, Partial<ModelFacts>>(named.map(name => [name, {}]));
  if (facts.models) return withNames(names, facts.models, OLLAMA_FACTS);
  const foreign = access.base_url !== undefined && !kind.lists_models;
  if (vendor && !(foreign && named.length > 0)) return withNames(names, listVendorModels(vendor), {});
  if (!kind.lists_models || named.length > 0 || !facts.usable) return names;
  try {
    return await listModels(access);
  } catch (error) {
    tell(listingProblem(access, error));
    // The default model of the settings may be this provider's, and is assumed to exist.
    return llm.default_model?.startsWith(prefix)
      ? names.set(llm.default_model.slice(prefix.length), {})
      : names;
  }
}

/** Ollama silently truncates a prompt that is longer than its window, whose length depends on the machine. */
const OLLAMA_FACTS: Partial<ModelFacts> = { context_window: 32_768 };

function withNames(names: Map<string, Partial<ModelFacts>>, more: string[], facts: Partial<ModelFacts>) {
  for (const name of more) names.set(name, facts);
  return names;
}

function findModelSettings(llm: LlmSettings, id: string) {
  const found = llm.models.findLast(model => model.id === id);
  return Object.fromEntries(Object.entries(found ?? {}).filter(([, value]) => value !== undefined));
}

/** Shares an import among all provider requests; after a failed import the next request tries again. */
function onceImported(open: () => Promise<ProviderWire>): () => Promise<ProviderWire> {
  let wire: Promise<ProviderWire> | undefined;
  return () => {
    wire ??= open().catch(error => {
      wire = undefined;
      throw error;
    });
    return wire;
  };
}
