/** Opens the kernel's port `VoiceModels`: the speech models of the configured and discovered providers. */
import type { Clock, Log, VoiceModels } from '@chat-kernel/kernel';
import type { Settings, VoiceModelSettings } from '@chat-kernel/protocol';
import type { ConfiguredProvider } from './configured.ts';
import { KINDS } from './kinds/index.ts';
import { UnknownModel } from './unknown-model.ts';
import { ASSUMED_SPEECH, findVoiceFacts } from './voice/catalogue.ts';
import { speechModel, transcriptionModel, type VoiceProvider } from './voice/models.ts';

type VoiceSettings = Settings['voice'];
type Use = VoiceModelSettings['does'];

interface OfferOptions {
  clock: Clock;
  log: Log;
  /** The facts of the provider that calls and errors need. */
  called(facts: ConfiguredProvider): VoiceProvider;
}

/**
 * Lists the models for each purpose, the default first: the one in the settings, otherwise the first.
 * @throws UnknownModel if the settings name an unknown provider, or one without speech models
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
      const known = Object.keys(findVoiceFacts(facts.vendor)[use]).map(name => prefix + name);
      // An address that is not the vendor's serves the models in the settings, if they name any.
      const mine = own.filter(id => id.startsWith(prefix));
      return facts.access.base_url !== undefined && facts.kind.maker && mine.length > 0
        ? mine
        : [...mine, ...known];
    });
    const ordered = new Set([...(wanted ? [wanted] : []), ...ids]);
    return [...ordered].flatMap(id => {
      const facts = findProvider(id, hearing) as ConfiguredProvider;
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
      const known = findVoiceFacts(facts.vendor).transcription[model] ?? { price: null };
      return transcriptionModel(
        options.called(facts),
        model,
        { name: model, ...known, ...stated(facts, model, 'transcription') },
        options,
      );
    }),
    speech: offered('speech', (facts, model) => {
      const known = findVoiceFacts(facts.vendor).speech[model] ?? ASSUMED_SPEECH;
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

const findProvider = (id: string, providers: readonly ConfiguredProvider[]) =>
  providers.find(({ access }) => id.startsWith(`${access.name}/`));

function checkProvider(id: string, providers: readonly ConfiguredProvider[]): void {
  if (findProvider(id, providers)) return;
  const known = providers.map(({ access }) => access.name).join(', ') || 'none';
  throw new UnknownModel(
    `voice names the model ${id}, whose provider is not of kind openai or openai-compatible. Providers of these kinds: ${known}.`,
  );
}
