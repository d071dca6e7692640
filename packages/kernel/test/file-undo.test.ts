/** Tests undoing edits of files on several machines (UNDO-2, UNDO-3). */
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { OFFERED } from '../../../test/harness/decision.ts';
import { newChat } from '../../storage/test/records.ts';
import { Grants } from '../src/client-machine/grants.ts';
import type {
  ChatRecord,
  MachineFile,
  NewRequest,
  NotedEdit,
  RequestEnding,
  Undo,
  UndoMode,
} from '../src/index.ts';
import { previewFiles, restoreFiles } from '../src/undo/file-undo.ts';

const chat = newChat({ consent: 'never' });

/** An edit by a client; each path has its own call. */
const edit = (path: string, more: Partial<NotedEdit> = {}): NotedEdit => ({
  ...{
    op_id: `op ${path}`,
    turn_id: 't',
    call_id: `call ${path}`,
    path,
    machine: 'client',
    client_id: 'laptop',
  },
  ...more,
});
const SERVER = { machine: 'server' } as const;
const ATTIC = { hands: 'attic', client_id: 'm' } as const;

const file = (path: string, more: Partial<MachineFile> = {}): MachineFile => ({
  ...{ path, action: 'restore', changed_since: false, op_ids: [`op ${path}`] },
  ...more,
});

/** The report of a machine about a path, the ending of a request to it, or an unexpected error. */
type Fate = Partial<MachineFile> | RequestEnding | Error;
const error = (text: string): Fate => ({ reason: 'answered', answer: { id: '', error: text } });
const isEnding = (fate: Fate): fate is RequestEnding | Error => 'reason' in fate || fate instanceof Error;

/** @param fates for `mode path`; every other file is restored */
function opened(edits: NotedEdit[], fates: Record<string, Fate> = {}) {
  const calls: string[] = [];
  const requests: Partial<NewRequest>[] = [];
  const ended: string[] = [];
  const fateOf = (mode: UndoMode, path: string) => fates[`${mode} ${path}`] ?? {};
  const files = (mode: UndoMode, paths: string[]) =>
    paths.map(path => file(path, fateOf(mode, path) as Partial<MachineFile>));
  const undo = async (given: ChatRecord, mode: UndoMode, own: readonly NotedEdit[]) => {
    expect(given).toBe(chat);
    const paths = own.map(({ path }) => path);
    calls.push(`${mode} kernel: ${paths}`);
    return files(mode, paths);
  };
  const open = (asking: { chat_id: string }, { event, ...opening }: NewRequest) => {
    expect(asking.chat_id).toBe(chat.id);
    const { mode, edits, client_id, hands } = event as unknown as {
      mode: UndoMode;
      edits: { path: string }[];
      client_id: string;
      hands?: string;
    };
    const paths = edits.map(({ path }) => path);
    calls.push(`${mode} ${hands ?? client_id}: ${paths}`);
    requests.push({ event, ...opening });
    const fate = paths.map(path => fateOf(mode, path)).find(isEnding);
    const answer = { id: '', result: { files: files(mode, paths) } };
    return {
      ending:
        fate instanceof Error
          ? Promise.reject(fate)
          : Promise.resolve(fate ?? { reason: 'answered', answer }),
      end: () => void ended.push(`${mode} ${paths}`),
    };
  };
  const machines = {
    isHere: (name: string) => name === 'attic',
    named: (name: string) => ({
      name,
      client: async () => 'm',
      way: () => ({ channel: { opened() {}, resolved() {} }, failure: () => undefined, sandbox: undefined }),
    }),
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const grants = new Grants({} as never, new ManualClock(), log);
  const services = { undo: { undo } as unknown as Undo, requests: { open }, machines, grants } as never;
  const asked = { chat, edits, client_id: undefined, gone: undefined };
  return {
    ...{ calls, requests, ended },
    preview: (more: object = {}) => previewFiles({ ...asked, ...more }, services),
    restore: (more: object = {}) => restoreFiles({ ...asked, ...more }, services),
  };
}

describe('[UNDO-2] [UNDO-3] a preview', () => {
  test('requests the edits of each machine at once, and reports their files and calls', async () => {
    const { calls, preview } = opened([
      edit('a'),
      edit('b', SERVER),
      edit('c', ATTIC),
      edit('d', { client_id: 'desk' }),
      ...[edit('e'), edit('f', SERVER), edit('g', ATTIC)],
    ]);
    const { files, calls: undone } = await preview();
    expect(calls).toEqual([
      'preview laptop: a,e',
      'preview kernel: b,f',
      'preview attic: c,g',
      'preview desk: d',
    ]);
    const shown = (path: string, machine: object) => ({
      ...{ path, action: 'restore', changed_since: false },
      ...machine,
    });
    const [client, attic] = [{ machine: 'client' }, { machine: 'client', hands: 'attic' }];
    expect(files).toEqual([
      ...[shown('a', client), shown('e', client), shown('b', SERVER), shown('f', SERVER)],
      ...[shown('c', attic), shown('g', attic), shown('d', client)],
    ]);
    expect(undone).toEqual(new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(path => `call ${path}`)));
  });

  test('requests all edits by clients from the client that asks, but not those of stand-by machines', async () => {
    const { calls, preview } = opened([edit('a'), edit('b', { client_id: 'desk' }), edit('c', ATTIC)]);
    await preview({ client_id: 'phone' });
    expect(calls).toEqual(['preview phone: a,b', 'preview attic: c']);
  });

  test('lists only calls as undone whose edits are all restored, and not those of sub-agents', async () => {
    const call_id = 'both';
    const edits = [edit('a', { call_id }), edit('b', { call_id }), edit('c', { by_agent: true }), edit('d')];
    const { preview } = opened(edits, {
      'preview b': { action: 'not_kept' },
      'preview d': { action: 'delete' },
    });
    expect((await preview()).calls).toEqual(new Set(['call d']));
  });

  test.each<[string, object, Record<string, Fate>, Partial<MachineFile>]>([
    [
      'of another kernel',
      { ...SERVER, kernel: 'right' },
      {},
      { action: 'not_kept', error: 'Its undo data is on the machine right, where it was written.' },
    ],
    [
      'of a client without undo',
      {},
      { 'preview a': error('unknown op action') },
      { action: 'not_kept', error: 'The client of this machine does not support undo.' },
    ],
    ['of a client that fails', {}, { 'preview a': error('No disk.') }, { error: 'No disk.' }],
    [
      'of a client that does not answer',
      {},
      { 'preview a': { reason: 'expired' } },
      { error: 'No answer came from the client in time.' },
    ],
    ['of a disconnected machine', { hands: 'cellar' }, {}, { error: 'The machine cellar is not connected.' }],
  ])('names the reason for the files %s, each once', async (_, more, fates, expected) => {
    const call = { call_id: 'call' };
    const edits = [edit('a', { ...more, ...call }), edit('a', { ...more, ...call, op_id: 'second' })];
    const { files, calls } = await opened([...edits, edit('b', more)], fates).preview();
    const both = [file('a', expected), file('b', expected)].map(({ op_ids: _ids, ...each }) => each);
    expect(files).toMatchObject(both);
    expect(files).toHaveLength(2);
    // Each of the two edits of the file counts.
    expect([...calls]).toEqual(expected.action === 'not_kept' ? [] : ['call', 'call b']);
  });

  test('throws an unexpected error', async () => {
    const broken = new TypeError('broken');
    await expect(opened([edit('a')], { 'preview a': broken }).preview()).rejects.toBe(broken);
  });
});

describe('[UNDO-2] [UNDO-3] a restore', () => {
  test('previews all machines, then restores first where the owner may refuse', async () => {
    const { calls, restore } = opened([edit('a', SERVER), edit('b', ATTIC), edit('c')]);
    const { files } = await restore();
    expect(calls.slice(3)).toEqual(['restore laptop: c', 'restore kernel: a', 'restore attic: b']);
    expect(files[0]).toEqual({ path: 'c', machine: 'client', action: 'restore', changed_since: false });
  });

  test('asks the owner of a client, with time to decide, and no one else', async () => {
    const { requests, restore } = opened([edit('a'), edit('b', ATTIC)]);
    await restore();
    expect(requests.map(({ timeout_secs, decisions }) => [timeout_secs, decisions])).toEqual([
      [10, undefined],
      [10, undefined],
      [120, OFFERED],
      [120, undefined],
    ]);
  });

  test.each<[string, Fate, { code: string; message: string }]>([
    [
      'has changed',
      { changed_since: true },
      {
        code: 'files_changed',
        message: 'Changed after the chat wrote them: b. Nothing was restored and nothing rewound.',
      },
    ],
    ['fails', { error: 'No disk.' }, { code: 'files_stuck', message: 'Nothing was rewound. b: No disk.' }],
  ])('writes nothing if a file %s in the preview', async (_, fate, expected) => {
    const { calls, restore } = opened([edit('a'), edit('b', SERVER)], { 'preview b': fate });
    await expect(restore()).rejects.toMatchObject({
      ...expected,
      extra: {
        files: [
          { path: 'a', machine: 'client', action: 'restore', changed_since: false },
          { path: 'b', machine: 'server', action: 'restore', changed_since: false, ...fate },
        ],
      },
    });
    expect(calls.filter(call => call.startsWith('restore'))).toEqual([]);
  });

  test('restores the other files if no state is stored for one', async () => {
    const fate = { action: 'not_kept', error: 'Too large.' } as const;
    const { restore } = opened([edit('a'), edit('b')], { 'preview b': fate, 'restore b': fate });
    expect((await restore()).files).toMatchObject([{ action: 'restore' }, fate]);
  });

  test.each<[string, Fate, { code: string; message: string }]>([
    [
      'has changed',
      { changed_since: true },
      {
        code: 'files_changed',
        message:
          'Changed after the chat wrote them: c. Nothing was rewound. Already restored: a, b on the machine of the client; d on the machine of the kernel.',
      },
    ],
    [
      'fails',
      { error: 'No disk.' },
      {
        code: 'files_stuck',
        message:
          'Nothing was rewound. c: No disk. Already restored: a, b on the machine of the client; d on the machine of the kernel.',
      },
    ],
  ])('stops at a machine whose file %s, and reports what was restored', async (_, fate, expected) => {
    const unchanged = { action: 'unchanged' } as const;
    const { calls, restore } = opened(
      [
        ...[edit('d', SERVER), edit('c', ATTIC), edit('e', ATTIC), edit('a'), edit('b'), edit('u')],
        edit('f', { ...ATTIC, hands: 'attic', client_id: 'n' }),
        edit('z', { ...SERVER, kernel: 'right' }),
      ],
      {
        ...{ 'restore c': fate, 'restore e': { restored: false }, 'restore b': { action: 'delete' } },
        ...{ 'preview b': { action: 'delete' }, 'preview u': unchanged, 'restore u': unchanged },
      },
    );
    const failure = await restore().catch(thrown => thrown);
    expect(failure).toMatchObject(expected);
    expect(calls.at(-1)).toBe('restore attic: c,e,f');
    expect(
      failure.extra.files.map(({ path, restored }: { path: string; restored?: boolean }) => [path, restored]),
    ).toEqual([
      ['a', true],
      ['b', true],
      ['u', undefined],
      ['d', true],
      ['c', false],
      ['e', false],
      ['f', false],
      ['z', undefined],
    ]);
  });

  test('names a stand-by machine on which files were restored', async () => {
    const { restore } = opened([edit('a', ATTIC), edit('b', SERVER)], { 'restore b': { error: 'No disk.' } });
    await expect(restore()).rejects.toThrow('Nothing was rewound. b: No disk. Already restored: a on attic.');
  });
});

test.each(['before', 'during'])('[UNDO-2] closes its request if the caller disconnects %s it', async when => {
  const gone = new AbortController();
  const { ended, preview } = opened([edit('a')]);
  if (when === 'before') gone.abort();
  const previewed = preview({ gone: gone.signal });
  await new Promise(resolve => setImmediate(resolve));
  gone.abort();
  await previewed;
  expect(ended).toEqual(['preview a']);
});
