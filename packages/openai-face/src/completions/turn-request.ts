/**
 * Builds the turn request, and converts rejections of the kernel to errors at the right position in the caller's
 * request.
 */
import { KernelApiError, type KernelClient, type TurnRequest } from '@chat-kernel/client';
import { collectFiles, collectImages } from '../conversation/attachments.ts';
import { GO_ON_TEXT, RESULTS_TEXT } from '../conversation/caller-context.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { messageText } from '../conversation/conversation.ts';
import { MUTED } from '../turns/turn-parts.ts';
import { toOpenAiError } from '../wire/problems.ts';
import { type ChatRequest, EFFORTS } from '../wire/request.ts';
import type { Place } from './caller.ts';

/** The messages of the user to add to the chat; if the caller names the chat, only the last one. */
const selectNews = ({ fresh }: Conversation, { how }: Pick<Place, 'how'>) =>
  how === 'named' ? fresh.slice(-1) : fresh;

/** The messages whose images and files are added to the chat; a new chat also needs the earlier ones. */
const attachedTo = (conversation: Conversation, place: Pick<Place, 'how'>) => {
  const news = selectNews(conversation, place);
  return place.how === 'made' ? [...conversation.earlier, ...news] : news;
};

/** Uploads the files of a request, and returns their ids. @throws OpenAiError for an invalid file */
async function uploaded(
  kernel: KernelClient,
  conversation: Conversation,
  place: Pick<Place, 'how'>,
): Promise<{ id: string }[]> {
  const ids: { id: string }[] = [];
  for (const { file, param } of collectFiles(attachedTo(conversation, place))) {
    if ('id' in file) {
      ids.push(file);
      continue;
    }
    const { id } = await kernel.uploadFile(file).catch(error => {
      throw toOpenAiError(error, param);
    });
    ids.push({ id });
  }
  return ids;
}

/** @throws OpenAiError for an invalid image or file */
export async function buildTurnRequest(
  kernel: KernelClient,
  request: ChatRequest,
  conversation: Conversation,
  place: Place,
): Promise<TurnRequest> {
  const { model, tools, tool_choice, reasoning_effort, max_completion_tokens, max_tokens } = request;
  const text = selectNews(conversation, place)
    .map(({ message }) => messageText(message))
    .filter(words => words !== '')
    .join('\n\n');
  const images = collectImages(attachedTo(conversation, place)).map(({ image }) => image);
  const files = await uploaded(kernel, conversation, place);
  const limit = max_completion_tokens ?? max_tokens;
  const extra_tools = tool_choice === 'none' ? [] : (tools ?? []).map(toExtraTool);
  return {
    text: conversation.fresh.length > 0 ? text : conversation.answers.length > 0 ? RESULTS_TEXT : GO_ON_TEXT,
    model,
    mute: [...MUTED],
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
    ...(place.context !== undefined && { context: place.context }),
    ...(extra_tools.length > 0 && { extra_tools }),
    ...(reasoning_effort && { effort: EFFORTS[reasoning_effort] }),
    ...(limit && { max_tokens: limit }),
  };
}

const toExtraTool = ({
  function: { name, description, parameters },
}: NonNullable<ChatRequest['tools']>[number]) => ({
  name,
  description: description ?? '',
  ...(parameters && { input_schema: parameters }),
  // The program may return a web page.
  outside: true,
});

const TOOL = /^\/extra_tools\/(\d{1,3})\/(name|input_schema)/;
const ATTACHED = /^\/(files|images)\/(\d{1,6})/;

/** Converts an error about a turn request to an error about the caller's request. */
export function refusedTurn(error: unknown, conversation: Conversation, place: Pick<Place, 'how'>): unknown {
  const pointer = error instanceof KernelApiError ? (error.errors[0]?.pointer ?? '') : '';
  const [, tool, field] = TOOL.exec(pointer) ?? [];
  if (tool !== undefined) {
    return toOpenAiError(error, `tools[${tool}].function.${field === 'name' ? 'name' : 'parameters'}`);
  }
  const [, list, number] = ATTACHED.exec(pointer) ?? [];
  if (list !== undefined) {
    const collect = list === 'files' ? collectFiles : collectImages;
    return toOpenAiError(
      error,
      collect(attachedTo(conversation, place))[Number(number)]?.param ?? 'messages',
    );
  }
  return toOpenAiError(error, pointer.startsWith('/max_tokens') ? 'max_completion_tokens' : 'messages');
}
