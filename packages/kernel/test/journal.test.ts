/** The journal of running steps over a real file, cut off at every moment a process can die. */
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '@chat-kernel/storage';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalFile, NewMessage, StoredBlock } from '../src/index.ts';
import { Journal } from '../src/journal/journal.ts';
import { unstoredOf } from '../src/turn/unstored.ts';

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

/** What happens in the steps of some turns, one thing after the other. */
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

/** Lets it happen, in the journal and in messages of its own; calls back after each thing with what was not stored. */
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
  it('has all that was written, whatever happened before a process died', () => {
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

  it('is read up to the line that broke off', () => {
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

  it('leaves memory and the file with its turns', () => {
    const journal = open();
    journal.begin(messageOf('a', 'm1', { type: 'text', text: 'x' }));
    journal.begin(messageOf('b', 'm2', { type: 'text', text: 'y' }));
    journal.flush();
    journal.stored([messageOf('a', 'm1')]);
    expect(statSync(path()).size).toBeGreaterThan(0);
    journal.ended('b');
    expect(statSync(path()).size).toBe(0);
  });

  it('never grows beyond twice what runs, and 16 MiB', () => {
    const journal = open();
    const long = messageOf('long', 'm', { type: 'text', text: 'kept' });
    journal.begin(long);
    let largest = 0;
    for (let n = 0; n < 64; n++) {
      // Another turn beside it: each of its steps is stored when it is over.
      const message = messageOf('busy', `m${n}`, { type: 'text', text: 'x'.repeat(1024 * 1024) });
      journal.begin(message);
      journal.flush();
      largest = Math.max(largest, statSync(path()).size);
      journal.stored([message]);
    }
    expect(largest).toBeLessThan(19 * 1024 * 1024);
    expect(open().recover().get('long')).toEqual([long]);
  });

  it('says once that it can not be written, is not enough then, and begins anew when it can', () => {
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
    expect(logged).toEqual(['the journal of running turns could not be written']);
    isFull = false;
    block.text += 'd';
    journal.text(block, '"d"');
    journal.flush();
    expect(journal.isEnough).toBe(true);
    expect(open().recover().get('t')).toEqual([message]);
  });

  it('without a file keeps nothing, and is not enough', () => {
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

it('a file that was written anew and then emptied is read from its beginning', () => {
  const file = openJournal(directory, { alone: true });
  file.replace('the first\n');
  file.replace('');
  file.append('the next\n');
  expect(readFileSync(path(), 'utf8')).toBe('the next\n');
  file.close();
});

it('what was recovered stays in the file until all of it is stored', () => {
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
  // A process that ends here leaves the second one to the next.
  const next = open();
  expect(next.recover().get('b')).toEqual([messages[1]]);
  next.recovered();
  expect(statSync(path()).size).toBe(0);
  next.close();
});

it('of the journal and the copy in the store, the one that knows more of a message counts', () => {
  const text = (words: string): StoredBlock => ({ type: 'text', text: words });
  const left = [messageOf('t', '1', text('stored')), messageOf('t', '2', text('Hel'))];
  const checkpoint = [messageOf('t', '2', text('Hello')), messageOf('t', '3', text('!'))];
  const stored = [messageOf('t', '1', text('stored'))];
  expect(unstoredOf({ checkpoint }, left, stored)).toEqual(checkpoint);
  expect(unstoredOf({ checkpoint: null }, left, stored)).toEqual(left.slice(1));
  expect(unstoredOf({ checkpoint }, undefined, stored)).toEqual(checkpoint);
});
