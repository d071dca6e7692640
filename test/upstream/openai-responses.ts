/** OpenAI Responses: typed and numbered events around output items that begin, grow and end. */
import { openaiFailure } from './openai-failure.ts';
import { type ResponsesMemory, refuseResponses } from './openai-responses-validation.ts';
import { argumentsOf, type Finish, piecesOf, type ScriptedUsage, type SpokenSteps } from './reply.ts';
import { frame, freshId, type ScriptedWire, type Speech, type SpokenReply } from './wire.ts';

export function openaiResponses(): ScriptedWire {
  const memory: ResponsesMemory = { encrypted: new Set(), items: new Map() };
  return {
    name: 'openai-responses',
    model: (path, body) => (path === '/v1/responses' ? String(body.model) : undefined),
    refuse: request => refuseResponses(request.body, memory),
    speak: facts => speak(facts, memory),
    failure: (kind, message) => openaiFailure('input', kind, message),
  };
}

function speak({ request, usage }: SpokenReply, memory: ResponsesMemory): Speech {
  const output: object[] = [];
  let sequence = 0;
  let reasoningId: string | undefined;
  const base = {
    id: freshId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: request.model,
    parallel_tool_calls: true,
    store: request.body.store ?? true,
  };

  const event = (type: string, facts: object) => frame({ type, sequence_number: sequence++, ...facts }, type);
  const response = (status: string, more: object = {}) => ({
    response: { ...base, status, output, usage: null, error: null, incomplete_details: null, ...more },
  });
  /** Returns the frames of an output item; `grow` receives the position that its events name. */
  const item = (begun: { id: string }, ended: object, grow: (place: object) => string[]): string[] => {
    const place = { output_index: output.length };
    const frames = [
      event('response.output_item.added', { ...place, item: begun }),
      ...grow({ ...place, item_id: begun.id }),
      event('response.output_item.done', { ...place, item: { ...begun, ...ended } }),
    ];
    output.push({ ...begun, ...ended });
    return frames;
  };

  const think = (step: SpokenSteps['thinking']): string[] => {
    const id = freshId('rs_');
    const wanted = request.body.include?.includes('reasoning.encrypted_content') === true;
    const sealed = step.signature ?? freshId('gAAAAA');
    if (wanted) memory.encrypted.add(sealed);
    memory.items.set(id, undefined);
    reasoningId = id;
    const text = piecesOf(step.thinking).join('');
    const encrypted = wanted ? { encrypted_content: sealed } : {};
    const summary = text === '' ? [] : [{ type: 'summary_text', text }];
    return item({ id, ...{ type: 'reasoning', summary: [], ...encrypted } }, { summary }, place => {
      if (text === '') return [];
      const part = { ...place, summary_index: 0 };
      return [
        event('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } }),
        ...piecesOf(step.thinking).map(delta =>
          event('response.reasoning_summary_text.delta', { ...part, delta }),
        ),
        event('response.reasoning_summary_text.done', { ...part, text }),
        event('response.reasoning_summary_part.done', { ...part, part: summary[0] }),
      ];
    });
  };

  const say = (step: SpokenSteps['text']): string[] => {
    const id = issue('msg_');
    const text = piecesOf(step.text).join('');
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    const begun = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    return item(begun, { status: 'completed', content: [part] }, place => {
      const at = { ...place, content_index: 0 };
      return [
        event('response.content_part.added', { ...at, part: { ...part, text: '' } }),
        ...piecesOf(step.text).map(delta =>
          event('response.output_text.delta', { ...at, delta, logprobs: [] }),
        ),
        event('response.output_text.done', { ...at, text, logprobs: [] }),
        event('response.content_part.done', { ...at, part }),
      ];
    });
  };

  const call = ({ call: scripted }: SpokenSteps['call']): string[] => {
    const { whole, pieces } = argumentsOf(scripted);
    const call_id = scripted.id ?? freshId('call_');
    const begun = { id: issue('fc_'), type: 'function_call', call_id, name: scripted.name };
    return item(
      { ...begun, ...{ status: 'in_progress', arguments: '' } },
      { status: 'completed', arguments: whole },
      place => [
        ...pieces.map(delta => event('response.function_call_arguments.delta', { ...place, delta })),
        event('response.function_call_arguments.done', { ...place, arguments: whole }),
      ],
    );
  };

  const generateImage = ({ image }: SpokenSteps['image']): string[] => {
    const begun = { id: issue('ig_'), type: 'image_generation_call', status: 'in_progress' };
    const output_format = image.media_type.replace('image/', '');
    const result = Buffer.from(image.bytes).toString('base64');
    return item(begun, { status: 'completed', output_format, result }, place => [
      event('response.image_generation_call.in_progress', place),
      event('response.image_generation_call.generating', place),
      event('response.image_generation_call.completed', place),
    ]);
  };

  const fail = ({ error }: SpokenSteps['error']): string[] => {
    const { code, type, message } = openaiFailure('input', error).body.error;
    return [event('response.failed', response('failed', { error: { code: code ?? type, message } }))];
  };

  /** Creates an item id, and records the reasoning item just before it. */
  function issue(prefix: string): string {
    const id = freshId(prefix);
    memory.items.set(id, reasoningId);
    reasoningId = undefined;
    return id;
  }

  return {
    open: () => [
      event('response.created', response('in_progress')),
      event('response.in_progress', response('in_progress')),
    ],
    steps: {
      thinking: think,
      redacted: step => think({ thinking: '', signature: step.redacted }),
      text: say,
      call,
      image: generateImage,
      error: fail,
    },
    close: finish => [closing(finish)],
  };

  function closing(finish: Finish): string {
    const counted = { usage: usage && usageOnWire(usage) };
    if (finish === 'stop' || finish === 'tools') {
      return event('response.completed', response('completed', counted));
    }
    const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
    return event(
      'response.incomplete',
      response('incomplete', { ...counted, incomplete_details: { reason } }),
    );
  }
}

const usageOnWire = (usage: ScriptedUsage) => ({
  input_tokens: usage.prompt,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.completion,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.prompt + usage.completion,
});
