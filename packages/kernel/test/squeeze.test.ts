import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repair } from '../src/history/repair.ts';
import { listSqueezed, planSqueeze, withStubs } from '../src/history/squeeze.ts';
import type { NewMessage, StoredBlock } from '../src/index.ts';
import { longHistories } from './arbitraries.ts';
import { faultsOf } from './faults.ts';

const acts = (tool: string) => tool === 'shell';
const outputs = (messages: readonly NewMessage[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap(block => ('output' in block ? [block.output] : [])));
const charsOf = (messages: readonly NewMessage[]): number => outputs(messages).join('').length;

describe('[HIST-2] [EV-6] truncated tool output', () => {
  it('is never of the latest step or short, and frees the reported size', () => {
    fc.assert(
      fc.property(longHistories, fc.nat({ max: 8000 }), fc.boolean(), (history, tokens, effect) => {
        const { call_ids, freed_chars } = planSqueeze(history, tokens, () => effect);
        const squeezed = withStubs(history, new Set(call_ids), () => effect);
        expect(charsOf(history) - charsOf(squeezed)).toBe(freed_chars);
        const latest = history.findLast(({ content }) => content.some(({ type }) => type === 'tool_result'));
        expect(latest === undefined || squeezed.includes(latest)).toBe(true);
        for (const block of history.flatMap(({ content }) => content)) {
          if (block.type !== 'tool_result' || !call_ids.includes(block.tool_use_id)) continue;
          expect(block.output.length).toBeGreaterThanOrEqual(1000);
        }
        expect(faultsOf(repair(squeezed))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is the oldest, up to the requested size', () => {
    fc.assert(
      fc.property(longHistories, fc.nat({ max: 8000 }), (history, tokens) => {
        const { call_ids, freed_chars } = planSqueeze(history, tokens, acts);
        const all = planSqueeze(history, Number.POSITIVE_INFINITY, acts);
        expect(all.call_ids.slice(0, call_ids.length)).toEqual(call_ids);
        if (call_ids.length < all.call_ids.length) expect(freed_chars / 4).toBeGreaterThan(tokens - 1);
        const fewer = withStubs(history, new Set(call_ids.slice(0, -1)), acts);
        if (call_ids.length > 0) expect(charsOf(history) - charsOf(fewer)).toBeLessThan(tokens * 4);
      }),
    );
  });

  it('is truncated once: a stub is not truncated again', () => {
    fc.assert(
      fc.property(longHistories, fc.boolean(), (history, effect) => {
        const { call_ids } = planSqueeze(history, 1_000_000, () => effect);
        const squeezed = withStubs(history, new Set(call_ids), () => effect);
        expect(planSqueeze(squeezed, 1_000_000, () => effect)).toEqual({ call_ids: [], freed_chars: 0 });
        // The history itself is unchanged: users see it without truncation.
        expect(outputs(history).some(output => output.startsWith('[folded'))).toBe(false);
      }),
    );
  });
});

describe('a stub', () => {
  const history = [
    ...step('r', 'read_file', 'x'.repeat(2000)),
    ...step('s', 'shell', `${'b'.repeat(299)}😀${'m'.repeat(2000)}😀${'e'.repeat(299)}`),
    ...step('z', 'read_file', 'latest'),
  ];
  const [read, ran, latest] = outputs(withStubs(history, new Set(['r', 's']), acts));

  it('explains how to get the output again', () => {
    expect(read).toBe(
      '[folded to make room: this output of read_file had 2000 characters. To get it again, call read_file with the same input.]',
    );
    expect(latest).toBe('latest');
  });

  it('keeps both ends of output that cannot be repeated, with complete characters', () => {
    expect(ran).toBe(
      `[folded to make room: this output of shell had 2602 characters. Repeating the call would repeat its effect. Its start and end:]\n${'b'.repeat(299)}\n[...]\n${'e'.repeat(299)}`,
    );
  });

  it('replaces the output that an entry of the history names', () => {
    const entry: StoredBlock = { type: 'context', text: '', internal: { squeezed: ['r', 's'] } };
    expect(listSqueezed([...history, message('user', [entry])])).toEqual(['r', 's']);
    expect(listSqueezed(history)).toEqual([]);
  });
});

function message(role: 'user' | 'assistant', content: StoredBlock[]): NewMessage {
  const created_at = '2026-01-01T00:00:00.000Z';
  return { id: 'm', chat_id: 'c', role, turn_id: 't', content, created_at, status: 'completed' };
}

function step(id: string, name: string, output: string): NewMessage[] {
  return [
    message('assistant', [{ type: 'tool_use', id, name, input: {} }]),
    message('user', [{ type: 'tool_result', tool_use_id: id, output, is_error: false }]),
  ];
}
