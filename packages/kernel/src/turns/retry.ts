/** Builds the request of a retry: a turn in place of the one that a user message began (EDIT-1). */
import { KernelError, type TurnRequest } from '@chat-kernel/protocol';
import { leaving, messageToCut } from '../chats/rewind.ts';
import { KERNEL_NAME } from '../persons/persons.ts';
import type {
  ChatRecord,
  Store,
  StoredBlock,
  StoredMessage,
  TurnEntry,
  TurnParameters,
} from '../ports/index.ts';

/** The fields that a retry takes from the original request. */
const OF_ORIGINAL = ['sender', 'person_id', 'anchor', 'guest', 'machine'] as const;
/** The fields that replace the content of the original. */
const SAID = ['text', 'images', 'files'] as const;

/** The blocks that a retried message takes over, and the messages that leave the chat for it. */
export interface Replacement {
  /** The blocks that come before those of the request. */
  blocks: readonly StoredBlock[];
  /** Whether the request may be empty, because `blocks` contain the whole message. */
  isWhole: boolean;
  /** The hash of the request as it was sent. */
  fingerprint: string;
  entry: NonNullable<TurnEntry['replace']>;
  /** Called once the request is valid, before anything is stored. */
  prepare: () => Promise<void>;
}

export interface Retry {
  message_id: string;
  request: TurnRequest;
  /** Restores the files that tools changed from the message on. Absent: files stay. */
  restore?: (message: StoredMessage) => Promise<void>;
}

/** @throws KernelError invalid_value if the request names a field that a retry takes from the original */
export function checkRetry(request: TurnRequest): void {
  const errors = OF_ORIGINAL.filter(field => request[field] !== undefined).map(field => ({
    pointer: `/${field}`,
    detail: 'A retry takes this field from the original message.',
  }));
  if (errors.length === 0) return;
  const fields = errors.map(({ pointer }) => `\`${pointer.slice(1)}\``).join(', ');
  throw new KernelError('invalid_value', `${fields}: a retry takes these fields from the original message.`, {
    errors,
  });
}

/**
 * The request to start, and what it replaces.
 * @throws KernelError not_found if no turn began with the message
 */
export async function prepareRetry(
  chat: ChatRecord,
  { message_id, request, restore }: Retry,
  fingerprint: string,
  store: Store,
): Promise<{ request: TurnRequest; replacement: Replacement }> {
  const message = await messageToCut(chat.id, message_id, { store });
  const turn = await turnBegunBy(message, store);
  if (turn === undefined) throw new KernelError('not_found', `No turn began with the message ${message_id}.`);
  const isWhole = SAID.every(field => request[field] === undefined);
  const { anchor, machine } = turn.parameters;
  const { person_id, guest } = await speakerOf(turn.parameters, store);
  const outside = [
    ...new Set([
      ...(request.outside ?? []),
      ...message.content.flatMap(block => block.internal?.outside ?? []),
    ]),
  ];
  const files = message.content.flatMap(({ internal }) => (internal?.file ? [{ id: internal.file.id }] : []));
  return {
    request: {
      ...request,
      ...(message.sender !== undefined && { sender: message.sender }),
      ...(person_id !== undefined && { person_id }),
      ...(anchor !== undefined && { anchor }),
      ...(guest !== undefined && { guest }),
      ...(machine !== undefined && { machine }),
      ...(outside.length > 0 && { outside }),
      ...(isWhole && files.length > 0 && { files }),
    },
    replacement: {
      blocks: keptBlocks(message, request, isWhole),
      isWhole,
      fingerprint,
      entry: await leaving(chat, message, store),
      prepare: async () => restore?.(message),
    },
  };
}

/** The speaker of the original. A person who was deleted or merged since is a guest under the stored name. */
async function speakerOf(
  { person_id, guest }: TurnParameters,
  { persons }: Pick<Store, 'persons'>,
): Promise<Pick<TurnParameters, 'guest' | 'person_id'>> {
  const isGone = person_id !== undefined && (await persons.get(person_id)) === undefined;
  return isGone
    ? { guest: true }
    : { ...(person_id !== undefined && { person_id }), ...(guest && { guest }) };
}

/** The turn that a message began: it is the first message of its turn, and a person wrote it. */
async function turnBegunBy(
  { id, chat_id, role, sender, turn_id, position }: StoredMessage,
  store: Pick<Store, 'messages' | 'turns'>,
) {
  if (role !== 'user' || sender === KERNEL_NAME || turn_id === null || position === null) return undefined;
  const [first] = await store.messages.listOfTurn(chat_id, turn_id);
  return first?.id === id ? await store.turns.getNamed(chat_id, turn_id) : undefined;
}

/** The blocks of the original that the request does not replace. Blocks of files are created again. */
function keptBlocks({ content }: StoredMessage, request: TurnRequest, isWhole: boolean): StoredBlock[] {
  const { context, reply_to_ext_id, reply_to_text } = request;
  const isKept = ({ type, internal }: StoredBlock): boolean => {
    if (type === 'context') return context === undefined;
    if (type === 'quote') return reply_to_ext_id === undefined && reply_to_text === undefined;
    return isWhole && internal?.file === undefined;
  };
  return structuredClone(content.filter(isKept)).map(({ internal, ...block }) => {
    // The new turn decides again who speaks, and adds the sources of the request.
    const { master: _, stranger: __, outside: ___, ...kept } = internal ?? {};
    return Object.keys(kept).length === 0 ? block : { ...block, internal: kept };
  });
}
