/** Checks providers: keys, voice models and, on request, whether a model answers. */
import { type LanguageModel, ModelError, systemClock, type VoiceModels } from '@chat-kernel/kernel';
import type { Settings, TurnErrorCode } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { type Finding, ok, problem, untried, warning } from './finding.ts';

const CALL_TIMEOUT_MS = 60_000;

/** Advice by error code of a failed call. */
const CURES: Partial<Record<TurnErrorCode, string>> = {
  upstream_auth:
    'the key is invalid, expired or not allowed to use this model; create a new one at the provider',
  upstream_rate_limited: 'wait, or raise the limit at the provider',
  upstream_error: 'check base_url, and that this machine can reach the provider',
};

/** @param call send a test prompt to one model of each provider, which costs a few tokens */
export async function* checkProviders(
  settings: Pick<Settings, 'llm' | 'titles' | 'voice'>,
  { call, secrets }: { call: boolean; secrets: readonly string[] },
): AsyncGenerator<Finding> {
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  let models: Awaited<ReturnType<typeof openModels>>;
  try {
    models = await openModels({
      llm: settings.llm,
      titleModel: settings.titles.model,
      voice: settings.voice,
      env: process.env,
      secrets,
      clock: systemClock,
      log,
    });
  } catch (error) {
    yield problem('providers', (error as Error).message, 'choose a model of the list, or remove the setting');
    return;
  }
  for (const { sentence, advice } of models.problems) yield problem('providers', sentence, advice);
  const { models: list, default_model } = models.list();
  const first = new Map(list.map(record => [record.provider, record.id] as const).reverse());
  if (default_model !== null) first.set(models.find(default_model)!.record.provider, default_model);
  if (first.size === 0) {
    yield problem(
      'providers',
      'no model is available',
      models.problems.length > 0
        ? 'fix one of the providers above'
        : 'set the key of at least one provider (docs/settings.md)',
    );
  } else if ([...first.values()].every(id => models.find(id)?.demo)) {
    yield warning(
      'providers',
      'only the demo model is available',
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
    else yield untried(about, `${offers}; not tested (use --call)`);
  }
  yield checkVoice(models.voice);
}

function checkVoice({ transcription: [hears], speech: [speaks] }: VoiceModels): Finding {
  const named = (model: { record: { id: string } } | undefined, setting: string) =>
    model?.record.id ?? `none (set ${setting})`;
  if (!hears && !speaks) return ok('voice', 'no voice models; see docs/voice.md');
  const transcriber = named(hears, 'voice.transcription_model');
  return ok('voice', `transcription: ${transcriber}, speech: ${named(speaks, 'voice.speech_model')}`);
}

async function callModel(about: string, model: LanguageModel, secrets: readonly string[]): Promise<Finding> {
  const { id } = model.record;
  const began = performance.now();
  try {
    let firstWord: number | undefined;
    const events = model.stream(
      {
        system: 'This is a connection test.',
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
    return ok(about, `${id} answered; first token after ${Math.round((firstWord ?? began) - began)} ms`);
  } catch (error) {
    const reason = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), (error as Error).message);
    const code = error instanceof ModelError ? error.code : 'upstream_error';
    return problem(about, `${id} did not answer: ${reason}`, CURES[code] ?? 'see docs/errors.md');
  }
}
