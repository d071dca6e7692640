/** The input: keys in, text and cursor out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attach } from '../src/editor/change.ts';
import { commandChoices, completingAt } from '../src/editor/completion.ts';
import { layout } from '../src/editor/layout.ts';
import { snapped } from '../src/editor/motion.ts';
import { paste } from '../src/editor/paste.ts';
import { type KeyName, type Press, parsePresses, press } from '../src/editor/press.ts';
import { reduceEditor } from '../src/editor/reduce-editor.ts';
import { createEditor, type EditorState, submission, submitted } from '../src/editor/state.ts';
import { lineText, lineWidth } from '../src/text/line.ts';

const ctrl = (letter: string): Press => press('text', letter, { ctrl: true });
const write = (text: string, state = createEditor()): EditorState =>
  reduceEditor(state, press('text', text), 80).state;
const after = (state: EditorState, ...presses: Press[]): EditorState =>
  presses.reduce((current, each) => reduceEditor(current, each, 80).state, state);
const both = ({ text, cursor }: EditorState): [string, number] => [text, cursor];

// The seed is fixed, so that every run has the same cases.
fc.configureGlobal({ seed: 11 });

describe('the editor', () => {
  it('moves and deletes by grapheme', () => {
    const state = write('a👩‍👩‍👧e\u0301');
    expect(after(state, press('left')).cursor).toBe(state.text.length - 2);
    expect(after(state, press('backspace')).text).toBe('a👩‍👩‍👧');
    expect(after(state, press('backspace'), press('backspace')).text).toBe('a');
  });

  it('moves by word and to the ends of a line, and deletes up to there', () => {
    const state = write('one two, three');
    expect(after(state, press('left', '', { alt: true })).cursor).toBe(9);
    expect(after(state, press('text', 'b', { alt: true }), press('text', 'b', { alt: true })).cursor).toBe(4);
    expect(after(state, ctrl('a')).cursor).toBe(0);
    expect(after(state, ctrl('w')).text).toBe('one two, ');
    expect(both(after(state, ctrl('a'), ctrl('k'), ctrl('y'), ctrl('y')))).toEqual([
      'one two, threeone two, three',
      28,
    ]);
    expect(after(state, ctrl('u')).text).toBe('');
  });

  it('inserts a newline with Shift-Enter, Alt-Enter or a backslash, and sends with Enter', () => {
    expect(after(write('a'), press('newline')).text).toBe('a\n');
    expect(after(write('a\\'), press('enter')).text).toBe('a\n');
    expect(reduceEditor(write('a'), press('enter'), 80).action).toBe('submit');
  });

  it('moves up by rows, then into the history, and restores the draft', () => {
    let state = { ...write('first\nsecond', createEditor(['old', 'newer'])) };
    state = after(state, press('up'));
    expect(both(state)).toEqual(['first\nsecond', 5]);
    state = after(state, press('up'));
    expect(state.text).toBe('newer');
    state = after(state, press('up'), press('up'));
    expect(state.text).toBe('old');
    expect(after(state, press('down'), press('down')).text).toBe('first\nsecond');
  });

  it('undoes word by word', () => {
    let state = createEditor();
    for (const letter of 'hi you') state = write(letter, state);
    expect(after(state, ctrl('_')).text).toBe('hi ');
    expect(after(state, ctrl('_'), ctrl('_'), ctrl('_')).text).toBe('');
    expect(after(after(state, ctrl('u')), ctrl('_')).text).toBe('hi you');
  });

  it('shows a long paste as one character and sends it in full', () => {
    const text = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');
    const state = write('!', paste(write('look: '), text.replaceAll('\n', '\r\n')).state);
    expect(layout(state, 80).rows.map(row => lineText(row.line))).toEqual(['look: [pasted 120 lines]!']);
    expect(submission(state).text).toBe(`look: ${text}!`);
    expect(after(state, press('backspace'), press('backspace')).text).toBe('look: ');
  });

  it('inserts pasted image data directly, and requests an image path from the app', () => {
    const image = paste(createEditor(), 'data:image/png;base64,iVBORw0KGgo=').state;
    expect(submission(image)).toEqual({
      text: '',
      attachments: [{ kind: 'image', name: 'image.png', media_type: 'image/png', data: 'iVBORw0KGgo=' }],
    });
    expect(paste(createEditor(), "'/tmp/my shot.png'").path).toBe('/tmp/my shot.png');
    expect(paste(createEditor(), '/tmp/my\\ shot.png ').path).toBe('/tmp/my shot.png');
    expect(paste(createEditor(), 'file:///tmp/a%20b.jpg').path).toBe('/tmp/a b.jpg');
    expect(paste(createEditor(), 'see shot.png').path).toBeNull();
  });

  it('stores a sent text in the history once', () => {
    const sent = submitted(submitted({ ...write('again') }));
    expect(both(sent)).toEqual(['', 0]);
    expect(after(sent, press('up')).text).toBe('again');
    expect(submitted(write('again', sent)).history).toEqual(['again']);
  });

  it('finds the text to complete', () => {
    expect(completingAt({ text: '/mo', cursor: 3 })).toEqual({
      kind: 'command',
      query: 'mo',
      from: 0,
      to: 3,
    });
    expect(completingAt({ text: 'see @src/m', cursor: 10 })).toEqual({
      kind: 'file',
      query: 'src/m',
      from: 4,
      to: 10,
    });
    expect(completingAt({ text: 'me@home', cursor: 7 })).toBeNull();
    expect(completingAt({ text: 'a /b', cursor: 4 })).toBeNull();
    const commands = ['remodel', 'model', 'help'].map(name => ({ name, description: '' }));
    expect(commandChoices(commands, 'mod').map(each => each.label)).toEqual(['/model', '/remodel']);
  });

  it('parses the keys of Ink, also several at once', () => {
    const none = Object.fromEntries(
      ['upArrow', 'return', 'escape', 'ctrl', 'shift', 'meta', 'tab'].map(name => [name, false]),
    ) as unknown as Parameters<typeof parsePresses>[1];
    expect(parsePresses('hi\r', none)).toEqual([press('text', 'hi'), press('enter')]);
    expect(parsePresses('\r', { ...none, return: true, meta: true })).toEqual([press('newline')]);
    expect(parsePresses('\r', { ...none, return: true, shift: true })).toEqual([press('newline')]);
    expect(parsePresses('a', { ...none, eventType: 'release' })).toEqual([]);
  });
});

const NAMES: KeyName[] = [
  'text',
  'newline',
  'backspace',
  'delete',
  'left',
  'right',
  'up',
  'down',
  'home',
  'end',
  'enter',
  'tab',
];
const TEXTS = [
  'a',
  ' ',
  'é',
  '漢',
  '👩‍👩‍👧',
  '\u0301',
  '\u200d',
  '🇩',
  '🇪',
  '\n',
  '\\',
  'word ',
  '\u001b[2J',
  '\u{f0000}',
  '\ud800',
];
const presses = fc.array(
  fc.oneof(
    fc
      .record({ name: fc.constantFrom(...NAMES), alt: fc.boolean() })
      .map(({ name, alt }) => press(name, name === 'text' ? 'x' : '', { alt })),
    fc.constantFrom(...TEXTS).map(text => press('text', text)),
    fc.constantFrom(...'abefknpuwyzhd').map(ctrl),
  ),
  { maxLength: 60 },
);

describe('the editor, for any keys', () => {
  it('keeps its cursor between graphemes, its text clean and its rows within the width', () => {
    fc.assert(
      fc.property(presses, fc.integer({ min: 2, max: 30 }), (keys, width) => {
        let state = createEditor(['one', 'two\nlines']);
        for (const each of keys) {
          state = reduceEditor(state, each, width).state;
          expect(state.cursor).toBe(snapped(state.text, state.cursor));
          expect(state.text).not.toMatch(/(?![\n\t])\p{Cc}/u);
        }
        const { rows, cursor } = layout(state, width);
        for (const row of rows) expect(lineWidth(row.line)).toBeLessThanOrEqual(width);
        expect(rows[cursor.row]?.stops.some(stop => stop.at === state.cursor)).toBe(true);
        expect(cursor.column).toBeLessThanOrEqual(width);
      }),
      { numRuns: 300 },
    );
  });

  it('sends the entered text, and undoes all of it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 12 }), parts => {
        const clean = parts.map(part => part.replaceAll(/(?![\n\t])\p{Cc}|\p{Co}/gu, ''));
        let state = createEditor();
        for (const part of clean) state = write(part, state);
        expect(state.text).toBe(clean.join(''));
        expect(submission(state).text).toBe(clean.join('').trim());
        const chipped = attach(state, { kind: 'text', text: 'P' });
        expect(submission(chipped).text).toBe(`${clean.join('')}P`.trim());
        for (let index = 0; index < clean.length; index++) state = after(state, ctrl('_'));
        expect(state.text).toBe('');
      }),
    );
  });
});
