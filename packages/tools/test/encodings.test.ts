/** Tests text files of any encoding, byte order mark and line ends, on the kernel's machine and on that of a client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHands } from '@chat-kernel/hands';
import { decodeFile, encodeFile, MachinePaths } from '@chat-kernel/hands/own-machine';
import type { Hands } from '@chat-kernel/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editFile } from '../src/edit-file.ts';
import { ownMachine } from '../src/machine/own-machine.ts';
import { readFile } from '../src/read-file.ts';
import { writeFile } from '../src/write-file.ts';
import { type Workplace, workplace } from './workplace.ts';

const paths = new MachinePaths([]);
const rules = { paths, sandbox: { kind: async () => 'none' as const, isMissing: async () => false } };

interface Machine extends Workplace {
  /** The contents that the owner was asked about. */
  asked: string[];
}

function server(): Machine {
  const place = workplace();
  const asked: string[] = [];
  const consent = async (operation: { content?: string }) => {
    if (operation.content !== undefined) asked.push(operation.content);
    return { by_prefix: false };
  };
  return { ...place, asked, context: { ...place.context, consent } as unknown as Workplace['context'] };
}

/** The machine of a client, which executes the operations with the code of the clients of this repository. */
function client(): Machine {
  const place = workplace();
  const node = nodeHands({ workdir: place.path });
  const context = { signal: new AbortController().signal, progress: () => {} };
  const hands: Pick<Hands, 'read' | 'write'> = {
    read: path => node.read({ path }, context),
    write: (path, content, options) => node.write({ path, content, ...options }, context),
  };
  return { ...place, asked: [], context: { ...place.context, hands } as unknown as Workplace['context'] };
}

const edit = ({ context }: Workplace, old: string, next: string, all = false) =>
  editFile(rules).run({ path: 'a.txt', old, new: next, all }, context);
const write = ({ context }: Workplace, content: string) =>
  writeFile(rules).run({ path: 'a.txt', content }, context);
const read = async ({ context }: Workplace, name = 'a.txt') =>
  (await readFile(paths).run({ files: [{ path: name }] }, context)).output;
const bytesOf = (place: Workplace) => readFileSync(join(place.path, 'a.txt'));
const utf16 = (text: string, encoding: 'utf-16le' | 'utf-16be' = 'utf-16le') =>
  encodeFile({ text, encoding });
const withLf = (text: string) => text.replaceAll('\r\n', '\n');
/** Finds the first occurrence. Without a carriage return in it, its line ends match all others. */
function find(text: string, wanted: string): { from: number; to: number } {
  if (wanted.includes('\r') && text.includes(wanted)) {
    return { from: text.indexOf(wanted), to: text.indexOf(wanted) + wanted.length };
  }
  const characters = text.match(/\r\n|./gs) ?? [];
  const start = withLf(text).indexOf(wanted);
  const lengthOf = (count: number) => characters.slice(0, count).join('').length;
  return { from: lengthOf(start), to: lengthOf(start + wanted.length) };
}
const textOf = (place: Workplace) => decodeFile(bytesOf(place));

describe.each([
  ['of the kernel', server],
  ['of a client', client],
])('on the machine %s', (_, machine) => {
  it.each(['utf-16le', 'utf-16be'] as const)('reads, edits and replaces text in %s', async encoding => {
    const place = machine();
    place.write('a.txt', utf16('\ufeffeins\r\nzwei 😀\r\n', encoding));
    expect(await read(place)).toBe('== a.txt\neins\nzwei 😀');
    expect((await edit(place, 'eins\nzwei', 'één\ntwee\ntwee½')).output).toMatch(/^Edited a.txt, line 1\.$/m);
    expect(textOf(place)).toEqual({
      text: '\ufefféén\r\ntwee\r\ntwee½ 😀\r\n',
      encoding,
    });
    await write(place, 'x\ny');
    expect(textOf(place)).toEqual({ text: '\ufeffx\r\ny', encoding });
  });

  it('does not show a byte order mark of UTF-8, and keeps it', async () => {
    const place = machine();
    place.write('a.txt', '\ufeffone\r\ntwo\r\n');
    expect(await read(place)).toBe('== a.txt\none\ntwo');
    expect((await edit(place, 'onn', 'x')).output).toContain('\n1: one\n');
    await edit(place, 'one', '1');
    expect(place.read('a.txt')).toBe('\ufeff1\r\ntwo\r\n');
    await write(place, '\ufeff1\n2\n');
    expect(place.read('a.txt')).toBe('\ufeff1\r\n2\r\n');
  });

  it.each([
    ['a file of Windows', 'a\r\nb\r\n', 'a\nc\nb\n', 'a\r\nc\r\nb\r\n'],
    ['a file of Unix', 'a\nb\n', 'a\nc\r\n', 'a\nc\r\n'],
    ['mixed line ends', 'a\nb\r\nc\nd\r\ne\r\n', 'a\nb\nx\nc\nd\nf\ne', 'a\nb\r\nx\r\nc\nd\r\nf\r\ne'],
    ['other lines', 'a\r\nb\r\nc\n', 'x\ny\nz\nz\n', 'x\r\ny\r\nz\r\nz\r\n'],
    ['line ends that the model writes', 'a\r\nb\n', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['an empty content', '\ufeffa\r\n', '', '\ufeff'],
  ])('write_file keeps the line ends of the lines that stay: %s', async (_, before, content, after) => {
    const place = machine();
    place.write('a.txt', before);
    await write(place, content);
    expect(place.read('a.txt')).toBe(after);
  });

  it.each([
    ['an edited line', 'a\r\nb\nc\r\n', 'b', 'B', 'a\r\nB\nc\r\n'],
    ['edited lines', 'a\r\nb\nc\r\n', 'a\nb\nc', 'A\nB\nC', 'A\r\nB\nC\r\n'],
    ['new lines', 'a\nb\r\nc\n', 'b', 'b\nx', 'a\nb\r\nx\r\nc\n'],
    ['a new line at the end', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['a line between lines that stay', 'a\nb\r\nc\n', 'a\nb\nc', 'a\nx\nb\nc', 'a\nx\nb\r\nc\n'],
    ['a removed line', 'a\nb\r\nc\n', 'a\nb\n', 'a\n', 'a\nc\n'],
    ['a removed end', 'a\r\nb\r\n', 'a\nb', 'ab', 'ab\r\n'],
    ['\\r\\n that the model writes', 'a\nb\n', 'a\r\nb', 'c\r\nb', 'c\nb\n'],
    ['\\r\\n in only one place', 'a\nb\na\r\nb\n', 'a\r\nb', 'c', 'a\nb\nc\n'],
    ['a carriage return in a line', 'a\rb\r\r\nc', 'b\r\nc', 'B\nc', 'a\rB\r\nc'],
  ])('edit_file keeps the line ends of a file: %s', async (_, before, old, next, after) => {
    const place = machine();
    place.write('a.txt', before);
    await edit(place, old, next);
    expect(place.read('a.txt')).toBe(after);
  });

  it('edit_file keeps the remaining line ends when it removes all others', async () => {
    const place = machine();
    place.write('a.txt', 'foo x\r\na\nfoo x\r\nb\n');
    expect((await edit(place, ' x\n', ' ', true)).output).toMatch(/^Edited a.txt, lines 1, 3\.$/m);
    expect(place.read('a.txt')).toBe('foo a\nfoo b\n');
  });

  it.each([
    ['half of a character', Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62)],
    ['half of a surrogate pair', Uint8Array.of(0xff, 0xfe, 0x00, 0xd8, 0x61, 0)],
    ['UTF-32', Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ['UTF-16 without a byte order mark', Uint8Array.of(0x61, 0, 0x62, 0)],
    ['invalid UTF-8', Uint8Array.of(0x61, 0xff, 0x0d, 0x0a)],
  ])('leaves what is not text as it is: %s', async (_, bytes) => {
    const place = machine();
    place.write('a.txt', bytes);
    expect((await edit(place, 'a', 'b')).output).toMatch(/is a binary file/);
    expect(bytesOf(place)).toEqual(Buffer.from(bytes));
    await write(place, 'x\n');
    expect(place.read('a.txt')).toBe('x\n');
  });

  it('changes no other byte, whatever the encoding, the line ends and the edit', async () => {
    const place = machine();
    const piece = fc.constantFrom('a', 'b', 'ab', 'é', '😀', '\r', '\n', '\r\n', '\n\n');
    const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''));
    const marks = fc.constantFrom(
      { encoding: 'utf-8', mark: '' } as const,
      { encoding: 'utf-8', mark: '\ufeff' } as const,
      { encoding: 'utf-16le', mark: '\ufeff' } as const,
      { encoding: 'utf-16be', mark: '\ufeff' } as const,
    );
    const property = fc.asyncProperty(
      text,
      text.filter(wanted => wanted !== ''),
      text,
      text,
      marks,
      async (before, wanted, after, next, { encoding, mark }) => {
        place.write('a.txt', encodeFile({ text: mark + before + wanted + after, encoding }));
        // The model has read only \n.
        const old = withLf(wanted);
        const { is_error } = await edit(place, old, next);
        const result = textOf(place);
        const whole = mark + before + wanted + after;
        if (is_error) {
          expect(result).toEqual({ text: whole, encoding });
          await edit(place, old, next, true);
          // A carriage return before a new line end would be one with it.
          if (!/\r(?!\n)/.test(whole + next) && !old.includes('\r'))
            expect(withLf(textOf(place)!.text)).toBe(withLf(whole).split(old).join(withLf(next)));
          return;
        }
        const { from, to } = find(whole, old);
        const { text } = result!;
        const middle = text.slice(from, text.length - (whole.length - to));
        expect(text).toBe(whole.slice(0, from) + middle + whole.slice(to));
        expect(withLf(middle)).toBe(withLf(next));
        expect(result!.encoding).toBe(encoding);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});

it('shows the owner of the kernel what is written, with its byte order mark and line ends', async () => {
  const place = server();
  place.write('a.txt', utf16('\ufeffa\r\nb\r\n'));
  await write(place, 'a\nc\n');
  await edit(place, 'c', 'd');
  expect(place.asked).toEqual(['\ufeffa\r\nc\r\n', '\ufeffa\r\nd\r\n']);
});

it('reads the beginning of a long file in UTF-16, and instructions of a project in UTF-16', async () => {
  const place = server();
  // The limit of 20 MiB is in the middle of the emoji.
  place.write('a.txt', utf16(`\ufeff${'x'.repeat(10 * 1024 * 1024 - 2)}😀`));
  expect(await read(place)).toMatch(
    / more characters\]\n\[only the first 21\.0 MB of 21\.0 MB can be read\]$/,
  );
  const file = place.write('AGENTS.md', utf16('\ufeffBe brief.\r\n'));
  expect(await ownMachine(paths).read(file)).toBe('Be brief.\r\n');
});
