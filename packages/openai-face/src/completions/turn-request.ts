/** The turn that a request asks for, and what the kernel refuses of it, at its place in the request. */
import { KernelApiError, type TurnRequest } from '@chat-kernel/client';
import type { Conversation } from '../conversation/conversation.ts';
import { textOf } from '../conversation/conversation.ts';
import { imagesOf } from '../conversation/images.ts';
import { RESULTS_TEXT } from '../conversation/told.ts';
import { MUTED } from '../turns/turn-parts.ts';
import { openAiErrorOf } from '../wire/problems.ts';
import { type ChatRequest, EFFORTS } from '../wire/request.ts';
import type { Place } from './caller.ts';

/** The messages of the user that a chat is to get: of one that the caller names, the last alone. */
const newsOf = ({ fresh }: Conversation, { how }: Pick<Place, 'how'>) =>
  how === 'named' ? fresh.slice(-1) : fresh;

const imagesFor = (conversation: Conversation, place: Pick<Place, 'how'>) => {
  const news = newsOf(conversation, place);
  return imagesOf(place.how === 'made' ? [...conversation.earlier, ...news] : news);
};

/** @throws OpenAiError for an image that cannot be taken */
export function turnRequestOf(request: ChatRequest, conversation: Conversation, place: Place): TurnRequest {
  const { model, tools, tool_choice, reasoning_effort, max_completion_tokens, max_tokens } = request;
  const text = newsOf(conversation, place)
    .map(({ message }) => textOf(message))
    .filter(words => words !== '')
    .join('\n\n');
  const images = imagesFor(conversation, place).map(({ image }) => image);
  const limit = max_completion_tokens ?? max_tokens;
  const extra_tools = tool_choice === 'none' ? [] : (tools ?? []).map(extraToolOf);
  return {
    text: text === '' && conversation.fresh.length === 0 ? RESULTS_TEXT : text,
    model,
    mute: [...MUTED],
    ...(images.length > 0 && { images }),
    ...(place.context !== undefined && { context: place.context }),
    ...(extra_tools.length > 0 && { extra_tools }),
    ...(reasoning_effort && { effort: EFFORTS[reasoning_effort] }),
    ...(limit && { max_tokens: limit }),
  };
}

const extraToolOf = ({
  function: { name, description, parameters },
}: NonNullable<ChatRequest['tools']>[number]) => ({
  name,
  description: description ?? '',
  ...(parameters && { input_schema: parameters }),
});

const TOOL = /^\/extra_tools\/(\d{1,3})\/(name|input_schema)/;
const IMAGE = /^\/images\/(\d{1,6})/;

/** What the kernel said about a turn request, as it concerns the request that it was made of. */
export function refusedTurn(error: unknown, conversation: Conversation, place: Pick<Place, 'how'>): unknown {
  const pointer = error instanceof KernelApiError ? (error.errors[0]?.pointer ?? '') : '';
  const [, tool, field] = TOOL.exec(pointer) ?? [];
  if (tool !== undefined) {
    return openAiErrorOf(error, `tools[${tool}].function.${field === 'name' ? 'name' : 'parameters'}`);
  }
  const image = IMAGE.exec(pointer)?.[1];
  if (image !== undefined) {
    return openAiErrorOf(error, imagesFor(conversation, place)[Number(image)]?.param ?? 'messages');
  }
  return openAiErrorOf(error, pointer.startsWith('/max_tokens') ? 'max_completion_tokens' : 'messages');
}
