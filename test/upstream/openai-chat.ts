/** OpenAI chat completions, as OpenAI streams them, with the reasoning_content of DeepSeek and vLLM. */
import { refuseChat } from './openai-chat-validation.ts';
import { openaiFailure } from './openai-failure.ts';
import { argumentsOf, type Finish, piecesOf, type ScriptedUsage } from './reply.ts';
import { frame, freshId, type ScriptedWire, type Speech, type SpokenReply } from './wire.ts';

const FINISH_REASON: Record<Finish, string> = {
  stop: 'stop',
  tools: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
};

export const openaiChat = (): ScriptedWire => ({
  name: 'openai-chat',
  model: (path, body) => (path === '/v1/chat/completions' ? String(body.model) : undefined),
  refuse: request => refuseChat(request.body),
  speak,
  failure: (kind, message) => openaiFailure('messages', kind, message),
});

function speak({ request, usage }: SpokenReply): Speech {
  const counted = request.body.stream_options?.include_usage === true;
  const head = {
    id: freshId('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    system_fingerprint: 'fp_scripted',
  };
  let calls = 0;

  const chunk = (delta: object, finish: string | null = null) =>
    frame({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(counted && { usage: null }),
    });

  return {
    open: () => [chunk({ role: 'assistant', content: '' })],
    steps: {
      thinking: step => piecesOf(step.thinking).map(piece => chunk({ reasoning_content: piece })),
      redacted: () => [],
      text: step => piecesOf(step.text).map(piece => chunk({ content: piece })),
      call(step) {
        const index = calls++;
        const { name, id = freshId('call_') } = step.call;
        return [
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
          ...argumentsOf(step.call).pieces.map(piece =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ];
      },
      image: step => [chunk({ images: [imagePart(step.image)] })],
      error: step => [frame(openaiFailure('messages', step.error).body)],
    },
    close: finish => [
      chunk({}, FINISH_REASON[finish]),
      ...(counted && usage ? [frame({ ...head, choices: [], usage: usageOnWire(usage) })] : []),
      frame('[DONE]'),
    ],
  };
}

/** The format of gateways that generate images in chat completions; OpenAI's own models use another API for that. */
const imagePart = (image: { media_type: string; bytes: Uint8Array }) => ({
  type: 'image_url',
  image_url: { url: `data:${image.media_type};base64,${Buffer.from(image.bytes).toString('base64')}` },
});

const usageOnWire = (usage: ScriptedUsage) => ({
  prompt_tokens: usage.prompt,
  completion_tokens: usage.completion,
  total_tokens: usage.prompt + usage.completion,
  prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
});
