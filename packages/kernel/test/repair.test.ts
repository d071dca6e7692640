import { COMPACTION_MARKER, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repair } from '../src/history/repair.ts';
import type { NewMessage, StoredBlock } from '../src/index.ts';
import { cutHistories } from './arbitraries.ts';
import { faultsOf } from './faults.ts';

describe('[HIST-3] repair builds a valid request from any cut of any history', () => {
  it('alternates roles, pairs calls and results, and leaves no empty message, for any cut', () => {
    fc.assert(
      fc.property(cutHistories, history => {
        const request = repair(history);
        expect(faultsOf(request)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('returns the same objects for the same messages, so that derived data is reused', () => {
    fc.assert(
      fc.property(cutHistories, history => {
        const [first, second] = [repair(history), repair([...history])];
        const finished = first.filter(message => !message.content.some(block => block.internal?.synthetic));
        for (const message of finished) expect(second).toContain(message);
      }),
    );
  });

  it('repairs a growing history exactly like a complete one', () => {
    fc.assert(
      fc.property(cutHistories, history => {
        const growing: NewMessage[] = [];
        for (const message of history) {
          growing.push(message);
          expect(repair(growing)).toEqual(repair([...growing]));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('reads only the new messages, also inside a long turn', () => {
    let looks = 0;
    const history = new Proxy<NewMessage[]>([user('go')], {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looks++;
        return Reflect.get(target, name, receiver);
      },
    });
    for (let step = 0; step < 300; step++) {
      const id = `c${step}`;
      history.push(
        assistant({ type: 'tool_use', id, name: 'shell', input: {} }),
        message('user', [{ type: 'tool_result', tool_use_id: id, output: 'ok', is_error: false }]),
      );
      looks = 0;
      expect(repair(history)).toHaveLength(2 * step + 3);
      expect(looks).toBeLessThan(20);
    }
  });

  it('extends the request of the previous turn without changing its prefix', () => {
    const history = [user('a'), assistant(text('b')), user('c'), assistant(text('d'))];
    const before = repair(history.slice(0, 3));
    expect(repair(history).slice(0, 3)).toEqual(before);
  });
});

describe('hidden from the model', () => {
  it('[MARK-1] hides the compaction marker and machine notes', () => {
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

  it('hides a question of the kernel, between calls and their results or after them', () => {
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

  it('hides interrupted thinking', () => {
    const cut: StoredBlock = { type: 'thinking', text: 'hm', internal: { status: 'aborted' } };
    const request = repair([user('hi'), assistant(cut, text('so')), user('go')]);
    expect(request[1]?.content).toEqual([text('so')]);
  });
});

it('adds the synthetic result to a call without a result', () => {
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

it('names people other than the master before their text', () => {
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
