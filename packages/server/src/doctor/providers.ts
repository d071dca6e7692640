/** The providers: whether each has its key, which models hear and speak and, on request, whether its model answers. */
import { type LanguageModel, ModelError, systemClock, type VoiceModels } from '@chat-kernel/kernel';
import type { Settings, TurnErrorCode } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { type Finding, ok, problem, untried, warning } from './finding.ts';

const CALL_TIMEOUT_MS = 60_000;

/** Code of a failed call → advice. */
const CURES: Partial<Record<TurnErrorCode, string>> = {
  upstream_auth: 'the key is wrong, has expired or may not use this model: make a new one at the provider',
  upstream_rate_limited: 'wait, or raise the limit at the provider',
  upstream_error: 'see that base_url is right and the provider can be reached from this machine',
};

/** @param call ask one model of each provider for a word, which costs a few tokens */
export async function* checkProviders(
  settings: Pick<Settings, 'llm' | 'titles' | 'voice'>,
  { call, secrets }: { call: boolean; secrets: readonly string[] },
): AsyncGenerator<Finding> {
  const logged: string[] = [];
  const note = (_facts: unknown, sentence: string) => void logged.push(sentence);
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: note, error: note };
  let models: Awaited<ReturnType<typeof openModels>>;
  try {
    models = await openModels({
      llm: settings.llm,
      titleModel: settings.titles.model,
      voice: settings.voice,
      env: process.env,
      clock: systemClock,
      log,
    });
  } catch (error) {
    yield problem(
      'providers',
      (error as Error).message,
      'name a model of the list, or leave the setting out',
    );
    return;
  }
  for (const sentence of logged) {
    yield problem('providers', sentence, 'set the variable, or write the key into the settings file');
  }
  const { models: list, default_model } = models.list();
  const first = new Map(list.map(record => [record.provider, record.id] as const).reverse());
  if (default_model !== null) first.set(models.find(default_model)!.record.provider, default_model);
  if (first.size === 0) {
    yield problem(
      'providers',
      'no model can be used',
      'give at least one provider its key (docs/settings.md)',
    );
  } else if ([...first.values()].every(id => models.find(id)?.demo)) {
    yield warning(
      'providers',
      'only the demo model answers, which understands nothing',
      'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, run Ollama, or configure llm.providers',
    );
  }
  for (const [name, id] of first) {
    const count = list.filter(({ provider }) => provider === name).length;
    const offers = `${count} ${count === 1 ? 'model' : 'models'}${id === default_model ? `, default ${id}` : ''}`;
    const model = models.find(id)!;
    const about = `provider ${name}`;
    if (model.demo) yield ok(about, offers);
    else if (call) yield await callModel(about, model, secrets);
    else yield untried(about, `${offers}; not asked: --call does`);
  }
  yield voiceOf(models.voice);
}

function voiceOf({ transcription: [hears], speech: [speaks] }: VoiceModels): Finding {
  const named = (model: { record: { id: string } } | undefined, setting: string) =>
    model?.record.id ?? `nothing, for want of ${setting}`;
  if (!hears && !speaks) return ok('voice', 'nothing hears or speaks; docs/voice.md says what to set');
  const heard = named(hears, 'voice.transcription_model');
  return ok('voice', `${heard} hears, ${named(speaks, 'voice.speech_model')} speaks`);
}

async function callModel(about: string, model: LanguageModel, secrets: readonly string[]): Promise<Finding> {
  const { id } = model.record;
  const began = performance.now();
  try {
    let firstWord: number | undefined;
    const events = model.stream(
      {
        system: 'You are being checked for whether you can be reached.',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ok.' }] }],
        tools: [],
        effort: model.record.efforts[0] ?? 'off',
        max_output_tokens: 256,
        cache_key: 'doctor',
        cache: 'nothing',
        loadImage: async () => undefined,
      },
      AbortSignal.timeout(CALL_TIMEOUT_MS),
    );
    for await (const _ of events) firstWord ??= performance.now();
    return ok(about, `${id} answered; its first word took ${Math.round((firstWord ?? began) - began)} ms`);
  } catch (error) {
    const reason = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), (error as Error).message);
    const code = error instanceof ModelError ? error.code : 'upstream_error';
    return problem(about, `${id} did not answer: ${reason}`, CURES[code] ?? 'see docs/errors.md');
  }
}
