/** Tests the journal of running steps on a real file, cut off at every moment at which a process can die. */
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '@chat-kernel/storage';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalFile, NewMessage, StoredBlock } from '../src/index.ts';
import { Journal } from '../src/journal/journal.ts';
import { recoverMessages } from '../src/turn/step-messages.ts';

let directory: string;
let logged: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'chat-kernel-'));
  logged = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const say = (_facts: object, sentence: string) => void logged.push(sentence);
const log = { debug() {}, info() {}, warn: say, error: say };
const path = () => join(directory, 'running-turns.jsonl');
const open = (file: JournalFile = openJournal(directory, { alone: true })) => new Journal(file, log);

const messageOf = (turn_id: string, id: string, ...content: StoredBlock[]): NewMessage => ({
  id,
  chat_id: 'chat',
  turn_id,
  role: 'assistant',
  content,
  status: 'completed',
  created_at: '2026-01-01T00:00:00.000Z',
});

/** The events in the steps of some turns, in order. */
const happenings = fc.array(
  fc.record({
    turn: fc.nat({ max: 2 }),
    what: fc.constantFrom(
      'begin',
      'text',
      'text',
      'text',
      'block',
      'change',
      'stored',
      'ended',
      'flush',
      'flush',
    ),
    text: fc.string({ unit: 'binary', maxLength: 8 }),
  }),
  { maxLength: 60 },
);

/** Applies the events to the journal and to separate messages; after each one calls back with what was not stored. */
function play(
  journal: Journal,
  all: Iterable<{ turn: number; what: string; text: string }>,
  after: (flushed: boolean, kept: NewMessage[]) => void,
): void {
  const turns = new Map<string, NewMessage[]>();
  let count = 0;
  for (const { turn, what, text } of all) {
    const turnId = `turn${turn}`;
    const messages = turns.get(turnId) ?? [];
    const last = messages.at(-1);
    if (what === 'flush') journal.flush();
    else if (what === 'begin' || last === undefined) {
      const message = messageOf(turnId, `message${count++}`, { type: 'text', text });
      turns.set(turnId, [...messages, message]);
      journal.begin(message);
    } else if (what === 'text') {
      const block = last.content.at(-1)!;
      if ('text' in block) {
        block.text += text;
        journal.text(block, JSON.stringify(text));
      }
    } else if (what === 'block') {
      const block: StoredBlock = { type: 'text', text };
      last.content.push(block);
      journal.block(last, block);
    } else if (what === 'change') {
      const block = last.content[0]!;
      Object.assign(block, { text });
      journal.block(last, block);
    } else if (what === 'stored') {
      turns.set(turnId, messages.slice(1));
      journal.stored(messages.slice(0, 1));
    } else {
      turns.delete(turnId);
      journal.ended(turnId);
    }
    after(what === 'flush', [...turns.values()].flat());
  }
}

describe('[SAFE-4] the journal', () => {
  it('has everything that was written when a process dies, in any order of operations', () => {
    fc.assert(
      fc.property(happenings, all => {
        rmSync(path(), { force: true });
        const journal = open();
        play(journal, all, (flushed, kept) => {
          if (!flushed) return;
          const found = [...open().recover().values()].flat();
          for (const message of kept) expect(found).toContainEqual(message);
        });
        journal.close();
      }),
      { numRuns: 60 },
    );
  });

  it('is read up to a truncated line', () => {
    const journal = open();
    const block: StoredBlock = { type: 'text', text: 'One' };
    journal.begin(messageOf('t', 'm', block));
    journal.text(block, '" two"');
    journal.text(block, '" \u{1f989}"');
    journal.flush();
    const whole = readFileSync(path());
    const texts = new Set<string | undefined>();
    for (let length = whole.length; length >= 0; length--) {
      truncateSync(path(), length);
      const [message] = open().recover().get('t') ?? [];
      const [first] = message?.content ?? [];
      texts.add(first && 'text' in first ? first.text : undefined);
    }
    expect([...texts]).toEqual(['One two \u{1f989}', 'One two', 'One', undefined]);
  });

  it('removes ended turns from memory and from the file', () => {
    const journal = open();
    journal.begin(messageOf('a', 'm1', { type: 'text', text: 'x' }));
    journal.begin(messageOf('b', 'm2', { type: 'text', text: 'y' }));
    journal.flush();
    journal.stored([messageOf('a', 'm1')]);
    expect(statSync(path()).size).toBeGreaterThan(0);
    journal.ended('b');
    expect(statSync(path()).size).toBe(0);
  });

  it('writes nothing for turns that the file does not contain', () => {
    const real = openJournal(directory, { alone: true });
    let written = 0;
    const journal = open({
      alone: true,
      get size() {
        return real.size;
      },
      append: real.append,
      replace: text => {
        written++;
        real.replace(text);
      },
      read: real.read,
      close: real.close,
    });
    for (const kept of [false, true]) {
      journal.begin(messageOf('t', 'm', { type: 'text', text: 'x' }));
      if (kept) journal.flush();
      journal.ended('t');
      expect([written, real.size]).toEqual([kept ? 1 : 0, 0]);
    }
  });

  it('never exceeds twice the size of the running turns, plus 16 MiB', () => {
    const journal = open();
    const long = messageOf('long', 'm', { type: 'text', text: 'kept' });
    journal.begin(long);
    let [largest, last, rewrites] = [0, 0, 0];
    for (let n = 0; n < 64; n++) {
      // A concurrent turn: each of its steps is stored when it is over.
      const message = messageOf('busy', `m${n}`, { type: 'text', text: 'x'.repeat(1024 * 1024) });
      journal.begin(message);
      journal.flush();
      const { size } = statSync(path());
      if (size < last) rewrites++;
      last = size;
      largest = Math.max(largest, size);
      journal.stored([message]);
    }
    expect(largest).toBeLessThan(19 * 1024 * 1024);
    // A rewrite for each step would copy what is kept over and over.
    expect(rewrites).toBeLessThan(5);
    expect(open().recover().get('long')).toEqual([long]);
  });

  it('logs a failing write once, reports itself as insufficient, and restarts when writes succeed', () => {
    const real = openJournal(directory, { alone: true });
    let isFull = false;
    const full =
      <Args extends unknown[]>(work: (...args: Args) => void) =>
      (...args: Args) => {
        if (isFull) throw new Error('no space left on device');
        work(...args);
      };
    const journal = open({
      alone: true,
      get size() {
        return real.size;
      },
      append: full(real.append),
      replace: full(real.replace),
      read: real.read,
      close: real.close,
    });
    const block: StoredBlock = { type: 'text', text: 'a' };
    const message = messageOf('t', 'm', block);
    journal.begin(message);
    journal.flush();
    expect(journal.isEnough).toBe(true);
    isFull = true;
    for (const letter of 'bc') {
      block.text += letter;
      journal.text(block, JSON.stringify(letter));
      journal.flush();
    }
    expect(journal.isEnough).toBe(false);
    expect(logged).toEqual(['writing the journal of running turns failed']);
    isFull = false;
    block.text += 'd';
    journal.text(block, '"d"');
    journal.flush();
    expect(journal.isEnough).toBe(true);
    expect(open().recover().get('t')).toEqual([message]);
  });

  it('stores nothing without a file, and reports itself as insufficient', () => {
    const journal = new Journal(undefined, log);
    journal.begin(messageOf('t', 'm', { type: 'text', text: 'x' }));
    journal.flush();
    journal.stored([messageOf('t', 'm')]);
    journal.recovered();
    expect(journal.recover().size).toBe(0);
    expect(journal.isEnough).toBe(false);
    journal.close();
  });
});

it('reads a file from its start after it was rewritten and emptied', () => {
  const file = openJournal(directory, { alone: true });
  file.replace('the first\n');
  file.replace('');
  file.append('the next\n');
  expect(readFileSync(path(), 'utf8')).toBe('the next\n');
  file.close();
});

it('keeps recovered messages in the file until all of them are stored', () => {
  const before = open();
  const messages = [messageOf('a', 'a1'), messageOf('b', 'b1')];
  for (const message of messages) before.begin(message);
  before.flush();
  before.close();
  const journal = open();
  expect([...journal.recover().keys()]).toEqual(['a', 'b']);
  // The first of the two is closed.
  journal.begin(messageOf('a', 'a2'));
  journal.flush();
  journal.stored([messageOf('a', 'a2')]);
  journal.close();
  // A process that ends here leaves the second one to the next process.
  const next = open();
  expect(next.recover().get('b')).toEqual([messages[1]]);
  next.recovered();
  expect(statSync(path()).size).toBe(0);
  next.close();
});

it('recovers the longer version of a message from the journal or its checkpoint', () => {
  const text = (words: string): StoredBlock => ({ type: 'text', text: words });
  const left = [messageOf('t', '1', text('stored')), messageOf('t', '2', text('Hel'))];
  const checkpoint = [messageOf('t', '2', text('Hello')), messageOf('t', '3', text('!'))];
  const stored = [messageOf('t', '1', text('stored'))];
  expect(recoverMessages({ checkpoint }, left, stored)).toEqual(checkpoint);
  expect(recoverMessages({ checkpoint: null }, left, stored)).toEqual(left.slice(1));
  expect(recoverMessages({ checkpoint }, undefined, stored)).toEqual(checkpoint);
});

it('warns with counts if lines are damaged, and recovers what the others say', () => {
  const before = open();
  const [thinking, text]: StoredBlock[] = [
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'one' },
  ];
  const message = messageOf('t', 'm', thinking!, text!);
  before.begin(message);
  before.text(text!, '" two"');
  before.text(text!, '" three"');
  before.flush();
  before.close();
  const lines = readFileSync(path(), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  for (const [damagedLines, expected, unreadable] of [
    [[], [thinking, { type: 'text', text: 'one two three' }], 0],
    [[1], [{ type: 'text', text: 'one two three' }], 1],
    [[3], [thinking, { type: 'text', text: 'one three' }], 1],
    [[0], undefined, 5],
    [[0, 1, 2, 3, 4], undefined, 5],
  ] as const) {
    logged.length = 0;
    for (const garbage of [
      'garb\u0000ge',
      '5',
      'null',
      '{"id":7}',
      '{"id":"m","at":-1,"text":"x"}',
      '{"id":"m","at":0,"text":7}',
    ]) {
      writeFileSync(
        path(),
        `${lines.map((line, n) => (damagedLines.includes(n as never) ? garbage : line)).join('\n')}\n`,
      );
      const facts: object[] = [];
      const journal = new Journal(openJournal(directory, { alone: true }), {
        ...log,
        warn: given => void facts.push(given),
      });
      expect(journal.recover().get('t')?.[0]?.content).toEqual(expected);
      expect(facts).toEqual(unreadable === 0 ? [] : [{ lines: 5, unreadable_lines: unreadable }]);
      journal.close();
    }
  }
});
