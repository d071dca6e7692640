/** The hearing of a message: who speaks, what modules and trust make of it, and the files that come with it. */
import type { TurnContext, TurnRequest } from '@chat-kernel/protocol';
import { worksOnClient } from '../client-machine/which-hands.ts';
import { fileBlock, unplacedFileBlock } from '../files/attached.ts';
import { findPerson, senderOf } from '../persons/persons.ts';
import { trustOf } from '../persons/trust.ts';
import type { ChatRecord, FileRecord, NewMessage } from '../ports/index.ts';
import { passMessage } from '../turn/stages.ts';
import { turnContextOf } from '../turn/turn-context.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { type Intake, markContext } from './intake.ts';

/** Finds out who speaks, and lets the message pass the modules, which may change it. */
export async function hear(
  chat: ChatRecord,
  request: TurnRequest,
  { message, parameters }: Intake,
  files: readonly FileRecord[],
  { store, stages }: Pick<TurnServices, 'stages' | 'store'>,
  signal: AbortSignal,
): Promise<TurnContext> {
  const person = await findPerson(request.person_id, store);
  if (person !== undefined) message.sender ??= senderOf(person);
  const { sender } = message;
  const { guest = false } = request;
  const context = turnContextOf(chat.id, request, sender, trustOf({ sender, guest, person }));
  const blocked = await passMessage(message, files, context, stages, signal);
  if (blocked) parameters.blocked = blocked;
  return context;
}

/** Adds to the message what depends on who speaks: marks, and the places of its files. */
export async function complete(
  chat: ChatRecord,
  request: TurnRequest,
  message: NewMessage,
  files: readonly FileRecord[],
  context: TurnContext,
  services: Pick<TurnServices, 'log' | 'machine' | 'store'>,
): Promise<void> {
  if (!context.trusted) markContext(message);
  const onClient = worksOnClient(request, chat);
  const placed = context.trusted && request.machine !== 'none';
  for (const file of files) {
    message.content.push(
      placed ? await fileBlock(file, chat, onClient, services) : unplacedFileBlock(file, context),
    );
  }
}
