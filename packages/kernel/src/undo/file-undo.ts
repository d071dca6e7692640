/**
 * Undoes edits of files on all machines of a rewind: requests a preview from all of them first, then each undoes its
 * part (UNDO-2).
 */
import { KernelError, type UndoneFile } from '@chat-kernel/protocol';
import { ClientHands } from '../client-machine/client-machine.ts';
import type { Grants } from '../client-machine/grants.ts';
import {
  type ChatRecord,
  type MachineFile,
  type NewRequest,
  type NotedEdit,
  OperationError,
  type RequestHandle,
  type Store,
  type StoredMessage,
  type Undo,
  type UndoMode,
} from '../ports/index.ts';
import { OUTSIDE_TURNS, type Requests } from '../requests/requests.ts';
import { notConnected } from '../standby/machine.ts';
import type { Machines } from '../standby/machines.ts';

interface FileUndoServices {
  undo: Undo;
  requests: Requests;
  machines: Machines;
  grants: Grants;
}

/** A rewind request that includes files. */
interface UndoAsked {
  chat: ChatRecord;
  /** The edits of the removed part, oldest first. */
  edits: readonly NotedEdit[];
  /** The client that makes the request, if it has hands. */
  client_id: string | undefined;
  /** Aborted when the caller has disconnected: a question to the owner is then closed. */
  gone: AbortSignal | undefined;
}

/** The response of an older client to an unknown action (OP-6). */
const UNKNOWN_ACTION = 'unknown op action';
const KEEPS_NOTHING = 'The client of this machine does not support undo.';
const keptBy = (kernel: string): string => `Its undo data is on the machine ${kernel}, where it was written.`;
/** The timeouts for the check of a machine, and for the approval of its owner. */
const LOOK_SECS = 10;
const DECIDE_SECS = 120;

interface Undone {
  files: UndoneFile[];
  /** The calls whose effects have been undone completely. */
  calls: ReadonlySet<string>;
}

/** The possible outcome for each file. */
export async function previewFiles(asked: UndoAsked, services: FileUndoServices): Promise<Undone> {
  return shown(await onMachines('preview', asked, services), asked.edits);
}

/**
 * Restores the files. Checks all machines before changing the first.
 * @throws KernelError files_changed, files_stuck: nothing was written. If a file changed, a machine disconnected or an
 * owner refused during the restore, the error states what was written, and the same call can be repeated.
 */
export async function restoreFiles(asked: UndoAsked, services: FileUndoServices): Promise<Undone> {
  const previewed = await onMachines('preview', asked, services);
  if (previewed.some(isStuck)) throw refusal(previewed.map(publicFile));
  const results = await onMachines('restore', asked, services);
  if (results.some(isStuck)) throw refusal(withUntouched(results, previewed).map(publicFile));
  return shown(results, asked.edits);
}

/** The edits of a machine, whose files are requested together. */
async function onMachines(
  mode: UndoMode,
  { edits, ...asked }: UndoAsked,
  services: FileUndoServices,
): Promise<ToldFile[]> {
  const machines = Map.groupBy(edits, ({ machine, hands, client_id, kernel }) => {
    const client = hands === undefined && asked.client_id === undefined ? client_id : null;
    return JSON.stringify([machine, hands, client, machine === 'server' ? kernel : null]);
  });
  const files: ToldFile[] = [];
  // One after the other, starting with machines whose owner may refuse: then nothing has been written on others.
  for (const own of mode === 'preview' ? machines.values() : [...machines.values()].toSorted(askedFirst)) {
    const { machine, hands } = own[0] as NotedEdit;
    const results = await onMachine(mode, { ...asked, edits: own }, services);
    files.push(...results.map(file => ({ ...file, machine, ...(hands !== undefined && { hands }) })));
    if (mode === 'restore' && results.some(isStuck)) break;
    if (mode === 'restore') for (const file of files.filter(isWritten)) file.restored ??= true;
  }
  return files;
}

/** The order of machines for a restore. */
const askedFirst = ([a]: readonly NotedEdit[], [b]: readonly NotedEdit[]): number =>
  Number(b && asksOwner(b)) - Number(a && asksOwner(a));
const asksOwner = ({ machine, hands }: NotedEdit): boolean => machine === 'client' && hands === undefined;

async function onMachine(
  mode: UndoMode,
  asked: UndoAsked,
  services: FileUndoServices,
): Promise<MachineFile[]> {
  const { chat, edits } = asked;
  const { machine, hands, kernel } = edits[0] as NotedEdit;
  const all = (file: Pick<MachineFile, 'action' | 'error'>): MachineFile[] =>
    [...Map.groupBy(edits, ({ path }) => path)].map(([path, ofFile]) => ({
      path,
      changed_since: false,
      ...file,
      op_ids: ofFile.map(({ op_id }) => op_id),
    }));
  if (machine === 'server') {
    if (kernel !== undefined) return all({ action: 'not_kept', error: keptBy(kernel) });
    return services.undo.undo(chat, mode, edits);
  }
  if (hands !== undefined && !services.machines.isHere(hands)) {
    return all({ action: 'restore', error: notConnected(hands) });
  }
  const timeout_secs = mode === 'preview' ? LOOK_SECS : DECIDE_SECS;
  // The caller of a restore has decided for the stand-by machines, like any client of the owner.
  const silent = mode === 'preview' || hands !== undefined;
  try {
    return await clientHands(asked, services).undo(mode, edits, { timeout_secs, silent });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.message === UNKNOWN_ACTION) return all({ action: 'not_kept', error: KEEPS_NOTHING });
    return all({ action: 'restore', error: error.message });
  }
}

function clientHands(
  { chat, edits, client_id, gone }: UndoAsked,
  { requests, machines, grants }: FileUndoServices,
): ClientHands {
  const [{ hands, client_id: noted }] = edits as [NotedEdit];
  const request = (opening: NewRequest): RequestHandle => {
    const open = requests.open({ ...OUTSIDE_TURNS, chat_id: chat.id }, opening);
    if (gone?.aborted) open.end();
    gone?.addEventListener('abort', () => open.end());
    return open;
  };
  return new ClientHands({
    chat: () => chat,
    client_id: hands === undefined ? (client_id ?? noted) : undefined,
    standby: hands === undefined ? undefined : machines.named(hands),
    trusted: true,
    outside: () => [],
    grants,
    timeout_secs: DECIDE_SECS,
    request,
  });
}

type ToldFile = UndoneFile & MachineFile;

const publicFile = ({ op_ids: _, ...file }: ToldFile): UndoneFile => file;

/** The files of an incomplete restore, followed by the files of machines that it did not reach. */
function withUntouched(results: readonly ToldFile[], looked: readonly ToldFile[]): ToldFile[] {
  const placeOf = (file: ToldFile) => JSON.stringify([describeMachine(file), file.path]);
  const came = new Set(results.map(placeOf));
  const all = [...results, ...looked.filter(file => !came.has(placeOf(file)))];
  return all.map(file => (isWritten(file) ? { ...file, restored: file.restored ?? false } : file));
}

const isWritten = ({ action }: UndoneFile): boolean => action === 'restore' || action === 'delete';
const describeMachine = ({ machine, hands }: UndoneFile): string =>
  hands ?? (machine === 'server' ? 'the machine of the kernel' : 'the machine of the client');

function shown(results: readonly ToldFile[], edits: readonly NotedEdit[]): Undone {
  const back = new Set(results.flatMap(({ action, op_ids }) => (action === 'not_kept' ? [] : op_ids)));
  const calls = Map.groupBy(edits, ({ call_id }) => call_id);
  const whole = [...calls].filter(([, own]) => own.every(edit => back.has(edit.op_id) && !edit.by_agent));
  const files = results.map(publicFile).map(({ restored: _, ...file }) => file);
  return { files, calls: new Set(whole.map(([id]) => id)) };
}

const isStuck = ({ action, changed_since, error }: Omit<MachineFile, 'op_ids'>): boolean =>
  changed_since || (error !== undefined && action !== 'not_kept');

/** The reason why nothing was rewound, with the files that were restored anyway. */
function refusal(files: readonly UndoneFile[]): KernelError {
  const extra = { files };
  const back = Map.groupBy(
    files.filter(({ restored }) => restored),
    describeMachine,
  );
  const restored = [...back].map(
    ([machine, own]) => `${own.map(({ path }) => path).join(', ')} on ${machine}`,
  );
  const sofar = restored.length === 0 ? '' : ` Already restored: ${restored.join('; ')}.`;
  const changed = files.filter(({ changed_since }) => changed_since);
  if (changed.length > 0) {
    const names = changed.map(({ path }) => path).join(', ');
    const nothing =
      sofar === '' ? 'Nothing was restored and nothing rewound.' : `Nothing was rewound.${sofar}`;
    return new KernelError('files_changed', `Changed after the chat wrote them: ${names}. ${nothing}`, {
      extra,
    });
  }
  const why = files
    .filter(isStuck)
    .map(({ path, error }) => `${path}: ${error}`)
    .join(' ');
  return new KernelError('files_stuck', `Nothing was rewound. ${why}${sofar}`, { extra });
}

interface Removed {
  messages: StoredMessage[];
  /** Their edits, oldest first. */
  edits: NotedEdit[];
}

/**
 * Finds the edits that a rewind removes: those of turns that are removed completely, and those of removed calls of a partly
 * removed turn.
 * @param from the first removed message, which has a position
 */
export async function editsAfter(
  from: StoredMessage,
  { store, undo }: { store: Pick<Store, 'messages'>; undo: Undo },
): Promise<Removed> {
  const { chat_id, turn_id: cut } = from;
  const messages = await store.messages.listFrom(chat_id, from.position as number);
  const [first] = cut === null ? [] : await store.messages.listOfTurn(chat_id, cut);
  const turns = new Set(messages.map(({ turn_id }) => turn_id));
  if (first?.id !== from.id) turns.delete(cut);
  const calls = new Set(messages.filter(({ turn_id }) => turn_id === cut).flatMap(listCallIds));
  const edits = (await undo.noted(chat_id)).filter(
    ({ turn_id, call_id }) => turns.has(turn_id) || (turn_id === cut && calls.has(call_id)),
  );
  return { messages, edits };
}

const listCallIds = ({ content }: StoredMessage): string[] =>
  content.flatMap(block => (block.type === 'tool_use' ? [block.id] : []));
