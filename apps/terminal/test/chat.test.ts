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
  it('is stored below XDG_STATE_HOME, or below the home directory', () => {
    expect(historyPath({ XDG_STATE_HOME: '/state' })).toBe('/state/chat-kernel/history');
    expect(historyPath({ XDG_STATE_HOME: 'relative' })).toMatch(/\/\.local\/state\/chat-kernel\/history$/);
  });

  it('keeps multiline texts, and skips a line that a crash has truncated', () => {
    const path = join(directory.path, 'deep', 'history');
    const history = new InputHistory(path);
    history.add('one\ntwo');
    appendFileSync(path, '"cut');
    expect(history.load()).toEqual(['one\ntwo']);
    history.add('three');
    expect(history.load()).toEqual(['one\ntwo', 'three']);
  });

  it('is bounded and readable only by its owner', () => {
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
  it('are completed by prefix first, then by substring', async () => {
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

  it('are parsed while typing', () => {
    expect(typedPath('/project', '@a/b.txt')).toBe('/project/a/b.txt');
    expect(typedPath('/project', '"/with blank"')).toBe('/with blank');
    expect(typedPath('/project', '~')).not.toContain('~');
    expect(isInside('/a/b', '/a')).toBe(true);
    expect(isInside('/ab', '/a')).toBe(false);
    expect(isInside('/ab', '/')).toBe(true);
  });
});

it('recognizes an image by its content, regardless of its name', async () => {
  const path = join(directory.path, 'dot.jpg');
  writeFileSync(path, PNG);
  expect(await readImage(path)).toMatchObject({ media_type: 'image/png', name: 'dot.jpg' });
  writeFileSync(path, 'no image at all');
  await expect(readImage(path)).rejects.toThrow('dot.jpg is not a');
});

it('restores a rejected message with its attachments before the text typed since', () => {
  const sent = { text: 'first', attachments: [{ kind: 'file', name: 'a', path: '/a' } as const] };
  const state = { ...createEditor(), text: 'second', cursor: 6 };
  expect(submission(restored(state, sent))).toEqual({ text: 'first\nsecond', attachments: sent.attachments });
  expect(submission(restored(createEditor(), sent))).toEqual(sent);
});

it('prints a working command for resuming, with npm in a checkout', () => {
  expect(programWords({})).toBe('chat-kernel chat');
  expect(programWords({ npm_lifecycle_event: 'start' })).toBe('npm start -- chat');
});

it('shortens queued messages, so that the running turn stays visible', () => {
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

it('removes escape sequences from the terminal title', () => {
  const sequence = titleSequence('a\u0007b\u001b]52;c;x\u0007\u009cc\nd');
  expect(sequence.slice(4, -1)).not.toMatch(/\p{Cc}/u);
  expect(sequence.startsWith('\u001b]0;a')).toBe(true);
});
