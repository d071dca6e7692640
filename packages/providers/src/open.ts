/** Opens the models: providers from the settings or found, their models listed, the default chosen. */
import type { Clock, LanguageModel, Log, Models, RateLimits, VoiceModels } from '@chat-kernel/kernel';
import { type ModelList, ProviderSettings, type Settings } from '@chat-kernel/protocol';
import { type ConfiguredProvider, configuredProviders } from './configured.ts';
import { openDemo } from './demo/demo.ts';
import { type FoundProvider, findProviders, type ProviderEnvironment } from './found.ts';
import type { Provider } from './language-model.ts';
import { calledProvider, offerOf, type ProviderOffer } from './offer.ts';
import { UnknownModel } from './unknown-model.ts';
import { voiceModels } from './voice-offer.ts';

type LlmSettings = Settings['llm'];

export interface ModelsOptions {
  llm: LlmSettings;
  /** The setting titles.model. */
  titleModel?: string | null;
  /** Absent: what the catalogue has of models that hear and speak. */
  voice?: Settings['voice'];
  env: ProviderEnvironment;
  /** Texts that no message may show, besides each provider's key and headers. */
  secrets?: readonly string[];
  clock: Clock;
  log: Log;
}

const NOTHING_NAMED: Settings['voice'] = {
  transcription_model: null,
  speech_model: null,
  voice: null,
  models: [],
};

/** The models, and the providers that nobody configured, by name, with the settings that would name them. */
interface OpenModels extends Models {
  voice: VoiceModels;
  found: Record<string, ProviderSettings>;
}

/**
 * Opens the kernel's ports `Models` and `VoiceModels`. Rejects with a sentence where `llm.default_model` or `titles.model` is no known
 * model. Imports of provider packages begin here and are awaited by the first trip, so that neither the start nor the
 * first turn is slow.
 */
export async function openModels({
  llm,
  titleModel = null,
  voice = NOTHING_NAMED,
  env,
  secrets = [],
  clock,
  log,
}: ModelsOptions): Promise<OpenModels> {
  // The packages print their warnings on the console unless this is set; they are of no use to the owner.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

  const configured = Object.keys(llm.providers).length > 0;
  const found = configured ? [] : await findProviders(env);
  const facts: ConfiguredProvider[] = configured
    ? configuredProviders(llm.providers, env, log)
    : found.map(each => ({ ...each, usable: true }));
  const offers = await Promise.all(facts.map(each => offerOf(each, llm, { clock, log }, secrets)));
  const demos = demoModels(llm, offers.length === 0);

  const usable = new Map<string, LanguageModel>();
  for (const model of [...offers.filter(offer => offer.usable).flatMap(offer => offer.models), ...demos]) {
    usable.set(model.record.id, model);
  }
  const standard = defaultModel(llm, usable, offers, log);
  if (titleModel !== null) named('titles.model', titleModel, usable, offers, log);
  for (const { provider, usable } of offers) if (usable) warm(provider, log);

  return {
    list: () => listOf([...usable.values()], standard, llm),
    find: id => usable.get(id),
    default: () => standard,
    rateLimits: () => rateLimitsOf(offers),
    voice: voiceModels(facts, voice, {
      clock,
      log,
      called: each => ({ ...calledProvider(each, secrets), access: each.access }),
    }),
    found: settingsOf(found, demos.length > 0 && !configured),
  };
}

function settingsOf(found: readonly FoundProvider[], demo: boolean): Record<string, ProviderSettings> {
  const named = found.map(({ access, settings }) => [access.name, settings] as const);
  const all = demo ? [...named, ['demo', { kind: 'demo' }] as const] : named;
  return Object.fromEntries(all.map(([name, settings]) => [name, ProviderSettings.parse(settings)]));
}

/** Returns the demo for each name under which it is configured, or once where no provider is there at all. */
function demoModels(llm: LlmSettings, alone: boolean): LanguageModel[] {
  const names = Object.keys(llm.providers).filter(name => llm.providers[name]?.kind === 'demo');
  if (names.length === 0 && Object.keys(llm.providers).length === 0 && alone) names.push('demo');
  return names.map(provider => {
    const demo = openDemo();
    const id = `${provider}/demo`;
    return {
      ...demo,
      record: { ...demo.record, id, provider },
    };
  });
}

function defaultModel(
  llm: LlmSettings,
  usable: Map<string, LanguageModel>,
  offers: ProviderOffer[],
  log: Log,
): LanguageModel | undefined {
  // A model that the settings name is wanted more than one of the catalogue.
  const configured = llm.models.map(model => usable.get(model.id)).find(model => model !== undefined);
  const first = configured ?? usable.values().next().value;
  const wanted = llm.default_model;
  return (wanted === null ? undefined : named('llm.default_model', wanted, usable, offers, log)) ?? first;
}

/** Returns the model that a setting names; undefined, with a warning in the log, where its provider has no key. */
function named(
  setting: string,
  wanted: string,
  usable: Map<string, LanguageModel>,
  offers: ProviderOffer[],
  log: Log,
): LanguageModel | undefined {
  const model = usable.get(wanted);
  if (model) return model;
  if (offers.some(offer => offer.models.some(known => known.record.id === wanted))) {
    log.warn({ model: wanted }, `${setting} ${wanted} cannot be used: its provider has no key`);
    return undefined;
  }
  const known = [...usable.keys()].join(', ') || 'none';
  throw new UnknownModel(`${setting} is ${wanted}, which is no known model. Known models: ${known}.`);
}

function listOf(models: LanguageModel[], standard: LanguageModel | undefined, llm: LlmSettings): ModelList {
  const records = models.map(model => model.record);
  return {
    models: records,
    default_model: standard?.record.id ?? null,
    effort_default: llm.reasoning,
    context_windows: Object.fromEntries(records.map(record => [record.id, record.context_window])),
  };
}

function rateLimitsOf(offers: ProviderOffer[]): Record<string, RateLimits> {
  const limits: Record<string, RateLimits> = {};
  for (const { provider } of offers) if (provider.rateLimits) limits[provider.name] = provider.rateLimits;
  return limits;
}

/** Imports the package after the start, when the process has nothing to do. */
function warm(provider: Provider, log: Log): void {
  setImmediate(() => {
    provider.wire().catch((error: Error) => {
      log.warn({ provider: provider.name }, `the provider ${provider.name} cannot be used: ${error.message}`);
    });
  });
}
