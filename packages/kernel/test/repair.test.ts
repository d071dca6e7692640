import { COMPACTION_MARKER, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repair } from '../src/history/repair.ts';
import type { NewMessage, StoredBlock } from '../src/index.ts';
import { cutHistories } from './arbitraries.ts';
import { faultsOf } from './faults.ts';

describe('[HIST-3] repair makes a valid request out of any cut of any history', () => {
  it('whatever the cut: roles alternate, calls and results pair, nothing is empty', () => {
    fc.assert(
      fc.property(cutHistories, history => {
        const request = repair(history);
        expect(faultsOf(request)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same objects for the same messages, so that nothing is derived twice', () => {
    fc.assert(
      fc.property(cutHistories, history => {
        const [first, second] = [repair(history), repair([...history])];
        const finished = first.filter(message => !message.content.some(block => block.internal?.synthetic));
        for (const message of finished) expect(second).toContain(message);
      }),
    );
  });

  it('extends the request of the turn before: the prefix stays as it was', () => {
    const history = [user('a'), assistant(text('b')), user('c'), assistant(text('d'))];
    const before = repair(history.slice(0, 3));
    expect(repair(history).slice(0, 3)).toEqual(before);
  });
});

describe('what the model never sees', () => {
  it('[MARK-1] the compaction marker and machine notes', () => {
    const history = [
      user('hi'),
      message('user', [
        { type: 'text', text: COMPACTION_MARKER, internal: { compaction: { text: '', upto_message: '' } } },
      ]),
      assistant(text('yes'), { type: 'text', text: '[failed]', internal: { note: 'turn_failed' } }),
      user('and?'),
    ];
    expect(repair(history)).toEqual([
      { role: 'user', content: [text('hi')] },
      { role: 'assistant', content: [text('yes')] },
      { role: 'user', content: [text('and?')] },
    ]);
  });

  it('a question of the kernel, between calls and their results or behind them', () => {
    const call: StoredBlock = { type: 'tool_use', id: 'c1', name: 'agent', input: {} };
    const result: StoredBlock = { type: 'tool_result', tool_use_id: 'c1', output: 'found', is_error: false };
    const internal = { kernel: true } as const;
    const asked: StoredBlock = { type: 'tool_use', id: 'k', name: 'ask_questions', input: {}, internal };
    const answered: StoredBlock = {
      type: 'tool_result',
      tool_use_id: 'k',
      output: 'y',
      is_error: false,
      internal,
    };
    const plain = repair([user('hi'), assistant(call), message('user', [result]), assistant(text('so'))]);
    for (const history of [
      [
        user('hi'),
        assistant(call),
        assistant(asked),
        message('user', [answered, result]),
        assistant(text('so')),
      ],
      [
        user('hi'),
        assistant(call),
        message('user', [result]),
        assistant(asked),
        message('user', [answered]),
        assistant(text('so')),
      ],
    ]) {
      expect(repair(history)).toEqual(plain);
    }
  });

  it('thinking that was cut short', () => {
    const cut: StoredBlock = { type: 'thinking', text: 'hm', internal: { status: 'aborted' } };
    const request = repair([user('hi'), assistant(cut, text('so')), user('go')]);
    expect(request[1]?.content).toEqual([text('so')]);
  });
});

it('a call without a result gets the synthetic one', () => {
  const call: StoredBlock = { type: 'tool_use', id: 'c1', name: 'shell', input: {} };
  expect(repair([user('hi'), assistant(call), user('go')])[2]?.content).toEqual([
    {
      type: 'tool_result',
      tool_use_id: 'c1',
      output: UNFINISHED_RESULT,
      is_error: true,
      internal: { synthetic: true },
    },
    text('go'),
  ]);
});

it('people other than the master are named before what they say', () => {
  const history = [
    { ...user('hi'), sender: 'Ada' },
    { ...user('ho'), sender: 'Bo' },
  ];
  expect(repair(history)).toEqual([{ role: 'user', content: [text('"Ada": hi'), text('"Bo": ho')] }]);
});

function text(words: string): StoredBlock {
  return { type: 'text', text: words };
}

function message(role: 'user' | 'assistant', content: StoredBlock[]): NewMessage {
  const created_at = '2026-01-01T00:00:00.000Z';
  return { id: 'm', chat_id: 'c', role, turn_id: 't', content, created_at, status: 'completed' };
}

const user = (words: string) => message('user', [text(words)]);
const assistant = (...content: StoredBlock[]) => message('assistant', content);
