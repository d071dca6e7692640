/** Every kind of item as lines. */
import type { Item } from '@chat-kernel/protocol';
import { describe, expect, it } from 'vitest';
import { itemLines } from '../src/items/item-lines.ts';
import { planLines } from '../src/items/plan.ts';
import { DEFAULT_VIEW, type ItemView } from '../src/items/view.ts';
import { lineText, lineWidth } from '../src/text/line.ts';
import { call, thinking, user } from './screen-props.ts';

const lines = (item: Item, view: Partial<ItemView> = {}): string[] =>
  itemLines(item, { ...DEFAULT_VIEW, width: 60, ...view }).map(lineText);
const common = {
  id: 'x',
  status: 'completed',
  turn_id: 't',
  created_at: '2026-01-02T03:04:05.000Z',
} as const;

describe('items', () => {
  it('shows a user’s message with quote, sender and attachments [ITEM-6]', () => {
    const item: Item = {
      ...(user('look\nhere') as Extract<Item, { kind: 'user_message' }>),
      master: false,
      sender: 'Ann\u202e',
      quote: { text: 'before' },
      attachments: [
        { kind: 'image', media_type: 'image/png', data: 'A'.repeat(4000) },
        {
          kind: 'file',
          id: 'f',
          name: 'a\u001b[2Jb.pdf',
          size: 12_345,
          media_type: 'application/pdf',
          url: '/files/f',
        },
      ],
    };
    expect(lines(item)).toEqual([
      '▌ Ann<U+202E>',
      '▌ > before',
      '▌ look',
      '▌ here',
      '▌ [image/png, 3.0 KB]',
      '▌ [file ab.pdf, 12.3 KB]',
    ]);
  });

  it('collapses thinking to its length, and expands it', () => {
    const item = thinking('one two\nthree');
    expect(lines(item)).toEqual(['✻ thought · 3 words']);
    expect(lines(item, { expanded: true })).toEqual(['✻ thought · 3 words', '  one two', '  three']);
    expect(lines(thinking('hm', 'running'))).toEqual(['✻ thinking · 2 characters']);
  });

  it('shows a call: running with the tail of its progress, done with a collapsed result', () => {
    const progress = Array.from({ length: 50 }, (_, line) => `out ${line}`).join('\n');
    expect(lines(call({ status: 'running', progress }), { iconOf: () => '$' })).toEqual([
      '○ $ shell ls -la',
      '  out 45',
      '  out 46',
      '  out 47',
      '  out 48',
      '  out 49',
    ]);
    expect(lines(call({ output: `${progress}\n` })).slice(-2)).toEqual(['  out 5', '  … 44 more lines']);
    expect(lines(call({ output: progress }), { expanded: true })).toHaveLength(51);
    // A note that one line is hidden would take the room of that line.
    expect(lines(call({ output: '1\n2\n3\n4\n5\n6\n7' })).slice(-2)).toEqual(['  6', '  7']);
  });

  it('marks a failed and an aborted call, and names the sub-agent that called', () => {
    expect(lines(call({ output: 'no such file', is_error: true }))).toEqual([
      '✗ shell ls -la',
      '  no such file',
    ]);
    expect(
      lines(call({ status: 'aborted', agent: 'Scout', output: '[cancelled] …', is_error: true })),
    ).toEqual(['◌ Scout › shell ls -la  aborted', '  [cancelled] …']);
  });

  it('shows an edit as a diff with line counts', () => {
    const input = { path: 'src/a.ts', old: 'a\nb\nc', new: 'a\nB\nc' };
    expect(lines(call({ name: 'edit_file', input }))).toEqual([
      '● edit_file src/a.ts',
      '  src/a.ts  +1 −1',
      '   a',
      '  -b',
      '  +B',
      '   c',
      '  No newline at end of file',
    ]);
    const content = Array.from({ length: 40 }, (_, line) => `${line}`).join('\n');
    const written = lines(call({ name: 'write_file', input: { path: 'b', content } }));
    expect(written.slice(0, 3)).toEqual(['● write_file b', '  b  +40 −0', '  +0']);
    expect(written.at(-1)).toBe('  … 17 more lines');
  });

  it('shows a plan around the task in progress', () => {
    const tasks = Array.from({ length: 9 }, (_, index) => ({
      title: `task ${index}`,
      status:
        index < 5 ? ('completed' as const) : index === 5 ? ('in_progress' as const) : ('pending' as const),
    }));
    expect(planLines(tasks, 60, 4).map(lineText)).toEqual([
      'Plan 5/9  6 not shown',
      '☑ task 4',
      '▸ task 5',
      '☐ task 6',
    ]);
    expect(planLines([], 60)).toEqual([]);
  });

  it('shows notes, marks, images, operations, and an unknown kind', () => {
    expect(lines({ ...common, kind: 'compaction' })).toEqual(['── conversation compacted ──']);
    // Ids say nothing to people.
    const text =
      '[forked] This chat began as a branch of another one. Before message 0193, it was chat 0192.';
    expect(lines({ ...common, kind: 'machine_note', note: 'fork_marker', text })).toEqual([
      '[forked] This chat began as a branch of another one.',
    ]);
    expect(lines({ ...common, kind: 'machine_note', note: 'woken', text: '[woken] It slept.' })).toEqual([
      '[woken] It slept.',
    ]);
    const image: Item = {
      ...common,
      kind: 'image',
      image_id: 'i',
      media_type: 'image/png',
      url: '/images/i',
    };
    expect(lines(image, { addressOf: url => `http://k.example${url}` })).toEqual([
      '🖼 image/png http://k.example/images/i',
    ]);
    const op: Item = {
      ...common,
      kind: 'client_op',
      op_id: 'o',
      action: 'shell',
      params: { command: 'ls' },
      decision: 'deny',
    };
    expect(lines(op)).toEqual(['  ↳ on this machine: shell ls  deny']);
    expect(lines({ ...common, kind: 'hologram' } as unknown as Item)).toEqual([
      '[hologram: not supported by this client]',
    ]);
  });

  it('is never wider than the screen, and never controls the terminal', () => {
    const evil = '\u001b]0;x\u0007\u009b2J\u202e漢字 '.repeat(20);
    const items: Item[] = [
      user(evil),
      call({ name: evil, input: { commands: [evil] }, output: evil, agent: evil }),
      call({ name: 'edit_file', input: { path: evil, old: evil, new: `${evil}\n${evil}` } }),
      { ...common, kind: 'machine_note', note: 'woken', text: evil },
      { ...common, kind: 'image', image_id: 'i', media_type: evil, url: evil },
      { ...common, kind: 'client_op', op_id: 'o', action: evil, params: { path: evil }, decision: evil },
      { ...common, kind: 'plan', tasks: [{ title: evil, status: 'pending' }] },
      thinking(evil),
    ];
    for (const item of items) {
      for (const each of itemLines(item, { ...DEFAULT_VIEW, width: 33, expanded: true })) {
        expect(lineWidth(each)).toBeLessThanOrEqual(33);
        expect(lineText(each)).not.toMatch(/\p{Cc}|\u202e/u);
      }
    }
  });
});
