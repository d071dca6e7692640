/** What one provider offers: its models, with what the settings, the provider and the catalogue say of them. */
import type { Clock, LanguageModel, Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { ModelFacts } from './catalogue/facts.ts';
import { modelEntry, modelsOf } from './catalogue/index.ts';
import type { ConfiguredProvider } from './configured.ts';
import { KINDS } from './kinds/index.ts';
import { languageModel, type Provider } from './language-model.ts';
import { listModels } from './listing.ts';
import type { Wire } from './wire/wire.ts';

type LlmSettings = Settings['llm'];

export interface Offer {
  provider: Provider;
  models: LanguageModel[];
  usable: boolean;
}

export async function offerOf(
  facts: ConfiguredProvider,
  llm: LlmSettings,
  ports: { clock: Clock; log: Log },
  secrets: readonly string[],
): Promise<Offer> {
  const { access } = facts;
  const told = await namesOf(facts, llm, ports.log);
  const provider: Provider = {
    name: access.name,
    timeoutSecs: facts.timeoutSecs,
    secrets: [access.api_key ?? '', ...Object.values(access.headers ?? {}), ...secrets],
    wire: onceImported(() => KINDS[facts.kind](access)),
  };
  const models = [...told].map(([name, more]) => {
    const settings = settingsOf(llm, `${access.name}/${name}`);
    const owner = { name: access.name, ...(facts.vendor && { vendor: facts.vendor }) };
    return languageModel(provider, modelEntry(owner, name, more, settings), ports);
  });
  return { provider, models, usable: facts.usable };
}

/**
 * The models that a provider has. Those of the settings come first; the maker's own address serves the
 * catalogue too; another address is asked, but only where the settings name none of its models.
 */
async function namesOf(
  facts: ConfiguredProvider,
  llm: LlmSettings,
  log: Log,
): Promise<Map<string, Partial<ModelFacts>>> {
  const { access, kind, vendor } = facts;
  const prefix = `${access.name}/`;
  const named = llm.models
    .filter(model => model.id.startsWith(prefix))
    .map(model => model.id.slice(prefix.length));
  const names = new Map<string, Partial<ModelFacts>>(named.map(name => [name, {}]));
  if (facts.models) return withNames(names, facts.models, OLLAMA_FACTS);
  const foreign = access.base_url !== undefined && kind !== 'openai-compatible';
  if (vendor && !(foreign && named.length > 0)) return withNames(names, modelsOf(vendor), {});
  if (kind !== 'openai-compatible' || named.length > 0 || !facts.usable) return names;
  try {
    return await listModels(access);
  } catch (error) {
    const sentence = `the provider ${access.name} did not tell its models; name them in llm.models`;
    log.warn({ provider: access.name, reason: String(error) }, sentence);
    // Then the default model, which may well be its own, is taken at its word.
    return llm.default_model?.startsWith(prefix)
      ? names.set(llm.default_model.slice(prefix.length), {})
      : names;
  }
}

/** Ollama cuts off what is longer than its window, silently; how long that is depends on the machine. */
const OLLAMA_FACTS: Partial<ModelFacts> = { context_window: 32_768 };

function withNames(names: Map<string, Partial<ModelFacts>>, more: string[], facts: Partial<ModelFacts>) {
  for (const name of more) names.set(name, facts);
  return names;
}

function settingsOf(llm: LlmSettings, id: string) {
  const found = llm.models.findLast(model => model.id === id);
  return Object.fromEntries(Object.entries(found ?? {}).filter(([, value]) => value !== undefined));
}

/** One import for all trips; one that failed is tried again by the next trip. */
function onceImported(open: () => Promise<Wire>): () => Promise<Wire> {
  let wire: Promise<Wire> | undefined;
  return () => {
    wire ??= open().catch(error => {
      wire = undefined;
      throw error;
    });
    return wire;
  };
}
