/** Undoes edits of files on all machines that a rewind concerns: all of them are asked first, then each does its part (UNDO-2). */
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

/** A rewind that asks for files. */
interface UndoAsked {
  chat: ChatRecord;
  /** Those of the part that goes, oldest first. */
  edits: readonly NotedEdit[];
  /** The client that asks, where it has hands. */
  client_id: string | undefined;
  /** Aborted when the caller has hung up: a question to the owner then closes. */
  gone: AbortSignal | undefined;
}

/** What an older client says to an action that it does not know (OP-6). */
const UNKNOWN_ACTION = 'unknown op action';
const KEEPS_NOTHING = 'The client of this machine keeps nothing for an undo.';
const keptBy = (kernel: string): string =>
  `It is kept on the machine ${kernel}, by the kernel that the chat had when it was written.`;
/** How long a machine may take to look, and its owner to say yes. */
const LOOK_SECS = 10;
const DECIDE_SECS = 120;

/** What becomes of files. */
interface Undone {
  files: UndoneFile[];
  /** The calls of which nothing is left. */
  calls: ReadonlySet<string>;
}

/** What would become of each file. */
export async function previewFiles(asked: UndoAsked, services: FileUndoServices): Promise<Undone> {
  return shown(await onMachines('preview', asked, services), asked.edits);
}

/**
 * Puts the files back. All machines are asked before the first is touched.
 * @throws KernelError files_changed, files_stuck: nothing was written; or, where a file changed or a machine went in just
 * this moment, or an owner said no, the error says what was, and the same call can be made again
 */
export async function restoreFiles(asked: UndoAsked, services: FileUndoServices): Promise<Undone> {
  const looked = await onMachines('preview', asked, services);
  if (looked.some(isStuck)) throw refusal(looked.map(publicFile));
  const told = await onMachines('restore', asked, services);
  if (told.some(isStuck)) throw refusal(withUntouched(told, looked).map(publicFile));
  return shown(told, asked.edits);
}

/** The edits of a machine, whose files are asked for in one request. */
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
  // One after the other, those first whose owner may say no: then nothing has been written elsewhere.
  for (const own of mode === 'preview' ? machines.values() : [...machines.values()].toSorted(askedFirst)) {
    const { machine, hands } = own[0] as NotedEdit;
    const told = await onMachine(mode, { ...asked, edits: own }, services);
    files.push(...told.map(file => ({ ...file, machine, ...(hands !== undefined && { hands }) })));
    if (mode === 'restore' && told.some(isStuck)) break;
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
  // Whoever asks for a restore has decided for the machines that stand by, as any client of the owner does.
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
    gone?.addEventListener('abort', () => open.end(), { once: true });
    return open;
  };
  return new ClientHands({
    chat: () => chat,
    client_id: hands === undefined ? (client_id ?? noted) : undefined,
    standby: hands === undefined ? undefined : machines.named(hands),
    trusted: true,
    grants,
    timeout_secs: DECIDE_SECS,
    request,
  });
}

/** A file as its machine tells it, and which that is. */
type ToldFile = UndoneFile & MachineFile;

const publicFile = ({ op_ids: _, ...file }: ToldFile): UndoneFile => file;

/** What was told of a restore that came to no end, and behind it the files of machines that it did not come to. */
function withUntouched(told: readonly ToldFile[], looked: readonly ToldFile[]): ToldFile[] {
  const placeOf = (file: ToldFile) => JSON.stringify([machineOf(file), file.path]);
  const came = new Set(told.map(placeOf));
  const all = [...told, ...looked.filter(file => !came.has(placeOf(file)))];
  return all.map(file => (isWritten(file) ? { ...file, restored: file.restored ?? false } : file));
}

const isWritten = ({ action }: UndoneFile): boolean => action === 'restore' || action === 'delete';
const machineOf = ({ machine, hands }: UndoneFile): string =>
  hands ?? (machine === 'server' ? 'the machine of the kernel' : 'the machine of the client');

function shown(told: readonly ToldFile[], edits: readonly NotedEdit[]): Undone {
  const back = new Set(told.flatMap(({ action, op_ids }) => (action === 'not_kept' ? [] : op_ids)));
  const calls = Map.groupBy(edits, ({ call_id }) => call_id);
  const whole = [...calls].filter(([, own]) => own.every(edit => back.has(edit.op_id) && !edit.by_agent));
  const files = told.map(publicFile).map(({ restored: _, ...file }) => file);
  return { files, calls: new Set(whole.map(([id]) => id)) };
}

const isStuck = ({ action, changed_since, error }: Omit<MachineFile, 'op_ids'>): boolean =>
  changed_since || (error !== undefined && action !== 'not_kept');

/** Why nothing was rewound; where files are back all the same, which. */
function refusal(files: readonly UndoneFile[]): KernelError {
  const extra = { files };
  const back = Map.groupBy(
    files.filter(({ restored }) => restored),
    machineOf,
  );
  const restored = [...back].map(
    ([machine, own]) => `${own.map(({ path }) => path).join(', ')} on ${machine}`,
  );
  const sofar = restored.length === 0 ? '' : ` Put back before that: ${restored.join('; ')}.`;
  const changed = files.filter(({ changed_since }) => changed_since);
  if (changed.length > 0) {
    const names = changed.map(({ path }) => path).join(', ');
    const nothing =
      sofar === '' ? 'Nothing was restored and nothing rewound.' : `Nothing was rewound.${sofar}`;
    return new KernelError('files_changed', `Changed since the chat wrote them: ${names}. ${nothing}`, {
      extra,
    });
  }
  const why = files
    .filter(isStuck)
    .map(({ path, error }) => `${path}: ${error}`)
    .join(' ');
  return new KernelError('files_stuck', `Nothing was rewound. ${why}${sofar}`, { extra });
}
