/** Opens the models: configures or discovers providers, lists their models, and selects the default. */
import type {
  Clock,
  LanguageModel,
  Log,
  ModelRequest,
  Models,
  RateLimits,
  VoiceModels,
} from '@chat-kernel/kernel';
import { type ModelList, ProviderSettings, type Settings } from '@chat-kernel/protocol';
import { type ConfiguredProvider, configuredProviders } from './configured.ts';
import { openDemo } from './demo/demo.ts';
import { type FoundProvider, findProviders, isSame, type ProviderEnvironment } from './discovery.ts';
import type { Provider } from './language-model.ts';
import { calledProvider, listProviderModels, type ProviderOffer } from './list-models.ts';
import type { ProviderProblem, TellProblem } from './problem.ts';
import { declareTools } from './prompt/tools.ts';
import { UnknownModel } from './unknown-model.ts';
import { voiceModels } from './voice-offer.ts';

type LlmSettings = Settings['llm'];

export interface ModelsOptions {
  llm: LlmSettings;
  /** The setting titles.model. */
  titleModel?: string | null;
  /** Absent: all speech models of the catalogue. */
  voice?: Settings['voice'];
  env: ProviderEnvironment;
  /** Texts that messages must not contain, besides each provider's key and headers. */
  secrets: readonly string[];
  clock: Clock;
  log: Log;
  /** Called for each part of an answer that was not understood. `shape`: its name on the API. */
  onUnread?(provider: string, shape: string): void;
}

const NOTHING_NAMED: Settings['voice'] = {
  transcription_model: null,
  speech_model: null,
  voice: null,
  models: [],
};

/** The models, and the discovered providers by name, with the settings that would configure them. */
interface OpenModels extends Models {
  voice: VoiceModels;
  /** Providers that cannot be used in their current state. */
  problems: readonly ProviderProblem[];
  found: Record<string, ProviderSettings>;
}

/**
 * Opens the kernel's ports `Models` and `VoiceModels`. Rejects with a sentence if `llm.default_model` or `titles.model`
 * is not a known model. Imports of provider packages begin here, but only the first provider request waits for them. So
 * neither the start nor the first turn is slow.
 */
export async function openModels({
  llm,
  titleModel = null,
  voice = NOTHING_NAMED,
  env,
  secrets,
  clock,
  log,
  onUnread = () => {},
}: ModelsOptions): Promise<OpenModels> {
  // The packages print their warnings to the console unless this is set; users cannot use them.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

  const problems: ProviderProblem[] = [];
  const tell = (problem: ProviderProblem) => {
    problems.push(problem);
    log.warn({ provider: problem.provider }, `${problem.sentence}; ${problem.advice}`);
  };
  const configured = configuredProviders(llm.providers, env, tell);
  const found = (llm.discover ? await findProviders(env) : []).filter(
    each => llm.providers[each.access.name] === undefined && !configured.some(one => isSame(one, each)),
  );
  const facts: ConfiguredProvider[] = [...configured, ...found.map(each => ({ ...each, usable: true }))];
  const offers = await Promise.all(
    facts.map(each => listProviderModels(each, llm, { clock, log, onUnread }, secrets, tell)),
  );
  const isAlone = offers.length === 0 && Object.keys(llm.providers).length === 0;
  const demos = demoModels(llm, isAlone, clock);

  const usable = new Map<string, LanguageModel>();
  const modelsOf = (some: readonly ProviderOffer[]) =>
    some.filter(offer => offer.usable).flatMap(offer => offer.models);
  // Configured providers come before discovered ones, including the demo.
  const [own, others] = [offers.slice(0, configured.length), offers.slice(configured.length)];
  for (const model of [...modelsOf(own), ...demos, ...modelsOf(others)]) {
    usable.set(model.record.id, model);
  }
  const standard = defaultModel(llm, usable, offers, tell);
  if (titleModel !== null) named('titles.model', titleModel, usable, offers, tell);
  for (const { provider, usable } of offers) if (usable) warm(provider, log);

  return {
    list: () => buildModelList([...usable.values()], standard, llm),
    find: id => usable.get(id),
    default: () => standard,
    rateLimits: () => collectRateLimits(offers),
    voice: voiceModels(facts, voice, {
      clock,
      log,
      called: each => ({ ...calledProvider(each, secrets), access: each.access }),
    }),
    problems,
    found: collectSettings(found, isAlone),
  };
}

function collectSettings(found: readonly FoundProvider[], demo: boolean): Record<string, ProviderSettings> {
  const named = found.map(({ access, settings }) => [access.name, settings] as const);
  const all = demo ? [...named, ['demo', { kind: 'demo' }] as const] : named;
  return Object.fromEntries(all.map(([name, settings]) => [name, ProviderSettings.parse(settings)]));
}

/** Returns the demo for each name under which it is configured, or once if there is no provider. */
function demoModels(llm: LlmSettings, isAlone: boolean, clock: Clock): LanguageModel[] {
  const names = Object.keys(llm.providers).filter(name => llm.providers[name]?.kind === 'demo');
  if (isAlone) names.push('demo');
  return names.map(provider => {
    const demo = openDemo(clock);
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
  tell: TellProblem,
): LanguageModel | undefined {
  // A model in the settings is preferred to one of the catalogue.
  const configured = llm.models.map(model => usable.get(model.id)).find(model => model !== undefined);
  const first = configured ?? usable.values().next().value;
  const wanted = llm.default_model;
  return (wanted === null ? undefined : named('llm.default_model', wanted, usable, offers, tell)) ?? first;
}

/** Returns the model that a setting names; undefined, with a reported problem, if its provider has no key. */
function named(
  setting: string,
  wanted: string,
  usable: Map<string, LanguageModel>,
  offers: ProviderOffer[],
  tell: TellProblem,
): LanguageModel | undefined {
  const model = usable.get(wanted);
  if (model) return model;
  if (offers.some(offer => offer.models.some(known => known.record.id === wanted))) {
    tell({
      provider: wanted.slice(0, wanted.indexOf('/')),
      sentence: `${setting} ${wanted} cannot be used: its provider has no key`,
      advice: `give the provider its key, or choose another ${setting}`,
    });
    return undefined;
  }
  const known = [...usable.keys()].join(', ') || 'none';
  throw new UnknownModel(`${setting} is ${wanted}, which is not a known model. Known models: ${known}.`);
}

function buildModelList(
  models: LanguageModel[],
  standard: LanguageModel | undefined,
  llm: LlmSettings,
): ModelList {
  const records = models.map(model => model.record);
  return {
    models: records,
    default_model: standard?.record.id ?? null,
    effort_default: llm.reasoning,
    context_windows: Object.fromEntries(records.map(record => [record.id, record.context_window])),
  };
}

function collectRateLimits(offers: ProviderOffer[]): Record<string, RateLimits> {
  const limits: Record<string, RateLimits> = {};
  for (const { provider } of offers) if (provider.rateLimits) limits[provider.name] = provider.rateLimits;
  return limits;
}

/** Imports the package after the start, when the process is idle, and compiles the code that fits tools. */
function warm(provider: Provider, log: Log): void {
  setImmediate(async () => {
    try {
      declareTools([SAMPLE], await provider.wire());
    } catch (error) {
      const { message } = error as Error;
      log.warn({ provider: provider.name }, `the provider ${provider.name} cannot be used: ${message}`);
    }
  });
}

/** A tool with the usual keywords of a schema. */
const SAMPLE: ModelRequest['tools'][number] = {
  name: 'sample',
  description: 'A sample.',
  input_schema: {
    type: 'object',
    properties: {
      texts: { type: 'array', items: { type: 'string', minLength: 1 }, description: 'Texts.' },
      kind: { enum: ['a', 'b'], default: 'a' },
      count: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    },
    required: ['texts'],
    additionalProperties: false,
  },
};
