/** Prepares an incoming message: finds the sender, runs the hooks of modules, checks trust, and attaches files. */
import type { TurnContext, TurnRequest } from '@chat-kernel/protocol';
import { runsOnClient } from '../client-machine/select-machine.ts';
import { fileBlock, unplacedFileBlock } from '../files/attached.ts';
import { findPerson, getSenderName } from '../persons/persons.ts';
import { resolveTrust } from '../persons/trust.ts';
import type { ChatRecord, FileRecord, NewMessage } from '../ports/index.ts';
import { passMessage } from '../turn/stages.ts';
import { buildTurnContext } from '../turn/turn-context.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { type AcceptedRequest, markContext } from './accept-request.ts';

/** Determines the speaker and passes the message through the modules, which may change it. */
export async function resolveSender(
  chat: ChatRecord,
  request: TurnRequest,
  { message, parameters }: AcceptedRequest,
  files: readonly FileRecord[],
  { store, stages }: Pick<TurnServices, 'stages' | 'store'>,
  signal: AbortSignal,
): Promise<TurnContext> {
  const person = await findPerson(request.person_id, store);
  if (person !== undefined) message.sender ??= getSenderName(person);
  const { sender } = message;
  const { guest = false, anchor } = request;
  if (anchor?.module !== undefined) stages.anchorSetBy(anchor.module);
  const context = buildTurnContext(chat.id, request, sender, resolveTrust({ sender, guest, person }));
  const blocked = await passMessage(message, files, context, stages, signal);
  if (blocked) parameters.blocked = blocked;
  return context;
}

/** Adds to the message what depends on the speaker: marks, and the paths of its files. */
export async function attachFiles(
  chat: ChatRecord,
  request: TurnRequest,
  message: NewMessage,
  files: readonly FileRecord[],
  context: TurnContext,
  services: Pick<TurnServices, 'log' | 'machines' | 'store'>,
): Promise<void> {
  if (!context.trusted) markContext(message);
  const onClient = runsOnClient(request, chat);
  const placed = context.trusted && request.machine !== 'none';
  for (const file of files) {
    message.content.push(
      placed ? await fileBlock(file, chat, onClient, services) : unplacedFileBlock(file, context),
    );
  }
  const [first] = message.content;
  if (request.outside !== undefined && first !== undefined)
    first.internal = { ...first.internal, outside: request.outside };
  if (context.master && message.sender !== undefined && first !== undefined) {
    first.internal = { ...first.internal, master: true };
  }
}
