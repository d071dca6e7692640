/** Creates message parts from history items. Unknown kinds of newer kernels are skipped. */
import type { Attachment, Item, ItemOf } from '@chat-kernel/client';
import type { KernelPart } from './message.ts';

/** Returns the parts of model items. Plans and requests exist only in streams, not in the history. */
export function toPart(item: Item, url: string): KernelPart | undefined {
  switch (item.kind) {
    case 'agent_message':
      return { type: 'text', text: item.text, state: partState(item) };
    case 'thinking':
      return { type: 'reasoning', id: item.id, text: item.text, state: partState(item) };
    case 'tool_call':
      return toolPart(item);
    case 'image':
      return { type: 'file', mediaType: item.media_type, url: url + item.url };
    case 'machine_note':
      return { type: 'data-note', id: item.id, data: { note: item.note, text: item.text } };
    case 'compaction':
      return { type: 'data-compaction', id: item.id, data: { status: item.status } };
    default:
      return undefined;
  }
}

/** Returns the parts of a user message: attachments first, as the AI SDK sends them. */
export const partsOfUser = ({ text, attachments }: ItemOf<'user_message'>, url: string): KernelPart[] => [
  ...attachments.map(attachment => filePart(attachment, url)),
  ...(text === '' ? [] : [{ type: 'text', text } as const]),
];

/** Returns the calling sub-agent. */
export const buildMetadata = ({ agent }: ItemOf<'tool_call'>) =>
  agent === undefined ? {} : { toolMetadata: { agent } };

function toolPart(item: ItemOf<'tool_call'>): KernelPart {
  const { call_id: toolCallId, name: toolName, input, output, is_error } = item;
  const call = {
    type: 'dynamic-tool',
    toolCallId,
    toolName,
    input,
    providerExecuted: true,
    ...buildMetadata(item),
  } as const;
  if (item.status === 'running') return { ...call, state: 'input-available' };
  const text = output ?? '';
  return is_error
    ? { ...call, state: 'output-error', errorText: text }
    : { ...call, state: 'output-available', output: text };
}

function filePart(attachment: Attachment, url: string): KernelPart {
  const { media_type: mediaType } = attachment;
  if (attachment.kind === 'image') {
    return { type: 'file', mediaType, url: `data:${mediaType};base64,${attachment.data}` };
  }
  return { type: 'file', mediaType, filename: attachment.name, url: url + attachment.url };
}

const partState = ({ status }: Item) => (status === 'running' ? 'streaming' : 'done');
