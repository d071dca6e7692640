/** The functions of the chat that need no terminal: history, paths, images, waiting messages, the title. */
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { PNG } from '../../../test/harness/pictures.ts';
import { programWords } from '../src/chat/chat.ts';
import { titleSequence } from '../src/chat/window-title.ts';
import { restored } from '../src/chats/message.ts';
import { createEditor, submission } from '../src/editor/state.ts';
import { readImage } from '../src/machine/images.ts';
import { historyPath, InputHistory } from '../src/machine/input-history.ts';
import { completePath, isInside, typedPath } from '../src/machine/paths.ts';
import type { AppState } from '../src/state/app-state.ts';
import { waitingItems } from '../src/state/waiting-messages.ts';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

describe('the history of inputs', () => {
  it('stands below XDG_STATE_HOME, else below the home of the owner', () => {
    expect(historyPath({ XDG_STATE_HOME: '/state' })).toBe('/state/chat-kernel/history');
    expect(historyPath({ XDG_STATE_HOME: 'relative' })).toMatch(/\/\.local\/state\/chat-kernel\/history$/);
  });

  it('keeps texts of several lines, and skips a line that a crash has cut', () => {
    const path = join(directory.path, 'deep', 'history');
    const history = new InputHistory(path);
    history.add('one\ntwo');
    appendFileSync(path, '"cut');
    expect(history.load()).toEqual(['one\ntwo']);
    history.add('three');
    expect(history.load()).toEqual(['one\ntwo', 'three']);
  });

  it('is bounded, and stays for its owner alone', () => {
    const path = join(directory.path, 'history');
    writeFileSync(path, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(''), { mode: 0o644 });
    const loaded = new InputHistory(path).load();
    expect(loaded).toHaveLength(1000);
    expect(loaded.at(-1)).toBe('2499');
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(1001);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('does not keep whole documents', () => {
    const history = new InputHistory(join(directory.path, 'history'));
    history.add('x'.repeat(10_001));
    expect(history.load()).toEqual([]);
  });
});

describe('paths', () => {
  it('are completed by what begins with the word, then by what holds it', async () => {
    mkdirSync(join(directory.path, 'src'));
    for (const name of ['main.ts', 'domain.ts', '.hidden', 'with blank', 'src/main.css']) {
      writeFileSync(join(directory.path, name), '');
    }
    expect(await completePath(directory.path, 'mai')).toEqual(['main.ts', 'domain.ts']);
    expect(await completePath(directory.path, '')).toEqual(['domain.ts', 'main.ts', 'src/', 'with blank']);
    expect(await completePath(directory.path, 'src/')).toEqual(['src/main.css']);
    expect(await completePath(directory.path, '.h')).toEqual(['.hidden']);
    expect(await completePath(directory.path, `${directory.path}/sr`)).toEqual([`${directory.path}/src/`]);
  });

  it('are read as they are typed', () => {
    expect(typedPath('/project', '@a/b.txt')).toBe('/project/a/b.txt');
    expect(typedPath('/project', '"/with blank"')).toBe('/with blank');
    expect(typedPath('/project', '~')).not.toContain('~');
    expect(isInside('/a/b', '/a')).toBe(true);
    expect(isInside('/ab', '/a')).toBe(false);
    expect(isInside('/ab', '/')).toBe(true);
  });
});

it('knows an image by its bytes, whatever it is called', async () => {
  const path = join(directory.path, 'dot.jpg');
  writeFileSync(path, PNG);
  expect(await readImage(path)).toMatchObject({ media_type: 'image/png', name: 'dot.jpg' });
  writeFileSync(path, 'no image at all');
  await expect(readImage(path)).rejects.toThrow('dot.jpg is no image');
});

it('puts a refused message with its attachments before the text that was typed since', () => {
  const sent = { text: 'first', attachments: [{ kind: 'file', name: 'a', path: '/a' } as const] };
  const state = { ...createEditor(), text: 'second', cursor: 6 };
  expect(submission(restored(state, sent))).toEqual({ text: 'first\nsecond', attachments: sent.attachments });
  expect(submission(restored(createEditor(), sent))).toEqual(sent);
});

it('says how to go on in words that work: in a checkout those of npm', () => {
  expect(programWords({})).toBe('chat-kernel chat');
  expect(programWords({ npm_lifecycle_event: 'start' })).toBe('npm start -- chat');
});

it('shortens waiting messages, so that the running turn stays in sight', () => {
  const waiting = (text: string) =>
    waitingItems({
      chat: { id: 'c' },
      snapshot: { items: [] },
      waiting: [
        {
          chat_id: 'c',
          turn_id: 't',
          message_id: 'm',
          sent: { text, attachments: [] },
          sent_at: '',
          behind: true,
        },
      ],
    } as unknown as AppState);
  expect(waiting('short')).toMatchObject([{ text: 'short' }]);
  expect(waiting('1\n2\n3\n4')).toMatchObject([{ text: '1\n2\n3 …' }]);
  expect(waiting('x'.repeat(500))).toMatchObject([{ text: `${'x'.repeat(240)} …` }]);
});

it('lets no sequence of a title through to the terminal', () => {
  const sequence = titleSequence('a\u0007b\u001b]52;c;x\u0007\u009cc\nd');
  expect(sequence.slice(4, -1)).not.toMatch(/\p{Cc}/u);
  expect(sequence.startsWith('\u001b]0;a')).toBe(true);
});
