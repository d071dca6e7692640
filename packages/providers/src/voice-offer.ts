/** Opens the kernel's port `VoiceModels`: what the configured and found providers hear and speak with. */
import type { Clock, Log, VoiceModels } from '@chat-kernel/kernel';
import type { Settings, VoiceModelSettings } from '@chat-kernel/protocol';
import type { ConfiguredProvider } from './configured.ts';
import { KINDS } from './kinds/index.ts';
import { UnknownModel } from './unknown-model.ts';
import { ASSUMED_SPEECH, voiceFactsOf } from './voice/catalogue.ts';
import { speechModel, transcriptionModel, type VoiceProvider } from './voice/models.ts';

type VoiceSettings = Settings['voice'];
type Use = VoiceModelSettings['does'];

interface OfferOptions {
  clock: Clock;
  log: Log;
  /** The provider, as its calls and their errors need it. */
  called(facts: ConfiguredProvider): VoiceProvider;
}

/**
 * Lists the models of each use, the default first: the one that the settings name, else the first.
 * @throws UnknownModel where the settings name a provider that is not there, or that does not hear and speak
 */
export function voiceModels(
  providers: readonly ConfiguredProvider[],
  settings: VoiceSettings,
  options: OfferOptions,
): VoiceModels {
  const hearing = providers.filter(
    ({ kind }) => kind === KINDS.openai || kind === KINDS['openai-compatible'],
  );
  const named = (use: Use) => {
    const wanted = use === 'speech' ? settings.speech_model : settings.transcription_model;
    const own = settings.models.filter(({ does }) => does === use).map(({ id }) => id);
    for (const id of [...(wanted ? [wanted] : []), ...own]) checkProvider(id, hearing);
    return { wanted, own };
  };
  const offered = <Model>(use: Use, open: (facts: ConfiguredProvider, model: string) => Model): Model[] => {
    const { wanted, own } = named(use);
    const ids = hearing.flatMap(facts => {
      const prefix = `${facts.access.name}/`;
      const known = Object.keys(voiceFactsOf(facts.vendor)[use]).map(name => prefix + name);
      // Another address than the maker's serves what the settings say, where they say anything of it.
      const mine = own.filter(id => id.startsWith(prefix));
      return facts.access.base_url !== undefined && facts.kind.maker && mine.length > 0
        ? mine
        : [...mine, ...known];
    });
    const ordered = new Set([...(wanted ? [wanted] : []), ...ids]);
    return [...ordered].flatMap(id => {
      const facts = providerOf(id, hearing) as ConfiguredProvider;
      if (facts.usable) return [open(facts, nameIn(id))];
      if (id === wanted) {
        options.log.warn({ model: id }, `the voice model ${id} cannot be used: its provider has no key`);
      }
      return [];
    });
  };
  const stated = (facts: ConfiguredProvider, model: string, use: Use) => {
    const {
      id: _,
      does: __,
      ...said
    } = settings.models.findLast(({ id, does }) => does === use && id === `${facts.access.name}/${model}`) ??
    ({} as Partial<VoiceModelSettings>);
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  };
  return {
    transcription: offered('transcription', (facts, model) => {
      const known = voiceFactsOf(facts.vendor).transcription[model] ?? { price: null };
      return transcriptionModel(
        options.called(facts),
        model,
        { name: model, ...known, ...stated(facts, model, 'transcription') },
        options,
      );
    }),
    speech: offered('speech', (facts, model) => {
      const known = voiceFactsOf(facts.vendor).speech[model] ?? ASSUMED_SPEECH;
      return speechModel(
        options.called(facts),
        model,
        { name: model, ...known, ...stated(facts, model, 'speech') },
        options,
      );
    }),
    voice: settings.voice,
  };
}

const nameIn = (id: string): string => id.slice(id.indexOf('/') + 1);

const providerOf = (id: string, providers: readonly ConfiguredProvider[]) =>
  providers.find(({ access }) => id.startsWith(`${access.name}/`));

function checkProvider(id: string, providers: readonly ConfiguredProvider[]): void {
  if (providerOf(id, providers)) return;
  const known = providers.map(({ access }) => access.name).join(', ') || 'none';
  throw new UnknownModel(
    `voice names the model ${id}, whose provider is no provider of kind openai or openai-compatible. Such providers: ${known}.`,
  );
}
