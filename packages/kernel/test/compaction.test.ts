import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFold, roomIn } from '../src/compaction/plan.ts';
import { repair } from '../src/history/repair.ts';
import {
  askForSummary,
  normalizeSummary,
  renderTranscript,
  SECTIONS,
  toChunks,
  withoutLearned,
} from '../src/history/summary.ts';
import type { NewMessage, StoredBlock } from '../src/index.ts';
import { estimateMessageTokens } from '../src/model/token-estimate.ts';
import { cutHistories, longHistories } from './arbitraries.ts';
import { faultsOf } from './faults.ts';

const keeps = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 5000 }));

describe('[HIST-1] the cut of a history', () => {
  it('keeps every message exactly once, for any history and any limit', () => {
    fc.assert(
      fc.property(fc.oneof(cutHistories, longHistories), keeps, (history, keep) => {
        const plan = planFold(history, keep);
        if (plan === null) return;
        expect([...plan.fold, ...plan.keep]).toEqual(history);
        expect(plan.keep.length).toBeGreaterThan(0);
        expect(renderTranscript(plan.fold)).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('never separates a call from its result, and keeps a valid request', () => {
    fc.assert(
      fc.property(longHistories, keeps, (history, keep) => {
        const plan = planFold(history, keep);
        if (plan === null) return;
        const folded = plan.fold.flatMap(({ content }) => content.flatMap(callOf));
        const answered = plan.keep.flatMap(({ content }) => content.flatMap(resultOf));
        expect(answered.filter(id => folded.includes(id))).toEqual([]);
        expect(faultsOf(repair(plan.keep))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the last turn complete at any length, if another turn precedes it', () => {
    fc.assert(
      fc.property(longHistories, keeps, (history, keep) => {
        const begin = history.findLastIndex(({ role, content }) => role === 'user' && content.some(isSpoken));
        const before = renderTranscript(history.slice(0, Math.max(0, begin))).length > 0;
        const plan = planFold(history, keep);
        if (before) expect(plan?.keep.slice(begin - history.length)).toEqual(history.slice(begin));
        else expect(plan?.keep.at(-1) ?? history.at(-1)).toBe(history.at(-1));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps as many complete turns as fit, and no more', () => {
    const turns = Array.from({ length: 10 }, (_, n) => [
      said('user', `question ${n}`, `t${n}`),
      said('assistant', 'x'.repeat(400), `t${n}`),
    ]);
    const history = turns.flat();
    const one = estimateMessageTokens(turns[0] as NewMessage[]);
    for (const kept of [1, 2, 5, 9]) {
      expect(planFold(history, one * kept)?.keep).toEqual(turns.slice(-kept).flat());
      expect(planFold(history, one * kept + one - 1)?.keep).toEqual(turns.slice(-kept).flat());
    }
    expect(planFold(history, 0)?.keep).toEqual(turns.at(-1));
    expect(planFold(turns[0] as NewMessage[], 0)).toBeNull();
  });

  it('falls between two steps if there is only one turn, regardless of kernel messages between them', () => {
    const history = [
      said('user', 'Go.', 't'),
      ...step('a', 't'),
      entry({ type: 'context', text: '', internal: { squeezed: ['a'] } }),
      ...step('b', 't'),
      entry({ type: 'context', text: '', internal: { squeezed: ['b'] } }),
      ...step('c', 't'),
    ];
    expect(planFold(history, 10)?.keep).toEqual(history.slice(7));
    expect(planFold(history, estimateMessageTokens(history.slice(4)))?.keep).toEqual(history.slice(4));
    expect(planFold(history.slice(0, 3), 0)).toBeNull();
    expect(planFold(history, 10, { wholeTurns: true })).toBeNull();
  });

  it('does not count a marker as the last turn: a second compaction compacts nothing', () => {
    const marker = entry(
      { type: 'text', text: '[compacted]', internal: { compaction: { text: '', upto_message: '' } } },
      null,
    );
    const last = [said('user', 'And?', 't'), said('assistant', 'x'.repeat(4000), 't')];
    expect(planFold([...last, marker], 100)).toBeNull();
    expect(planFold([said('user', 'Hi.', 's'), ...last, marker], 100)?.keep).toEqual([...last, marker]);
  });

  it('leaves messages to compact in a branch, too, whose marker needs no summary', () => {
    const note: StoredBlock = { type: 'text', text: '[forked]', internal: { note: 'fork_marker' } };
    const history = [entry(note, null), said('user', 'Hi.', 's'), said('user', 'And?', 't')];
    expect(planFold(history, 1000)?.fold).toEqual(history.slice(0, 2));
  });

  it('does not exist if no message needs a summary', () => {
    const note: StoredBlock = { type: 'text', text: '[forked]', internal: { note: 'fork_marker' } };
    expect(
      planFold([entry(note, null), said('user', 'Hi.', 't'), said('assistant', 'Ho.', 't')], 0),
    ).toBeNull();
  });
});

describe('the input of the summary model', () => {
  it('contains all messages, calls and results, and no text of the kernel', () => {
    const history = [
      { ...said('user', 'Where is it?', 't'), sender: 'Ada' },
      message('user', [{ type: 'context', text: '[plan]\n- x', internal: { told: { plan: 'f' } } }], 't'),
      message(
        'user',
        [
          { type: 'context', text: 'It is Monday.' },
          { type: 'quote', text: 'this' },
        ],
        't',
      ),
      message(
        'assistant',
        [{ type: 'thinking', text: 'secret' }, ...(step('a', 't')[0]?.content ?? [])],
        't',
      ),
      ...step('a', 't').slice(1),
      message('assistant', [{ type: 'text', text: '[failed]', internal: { note: 'turn_failed' } }], 't'),
    ];
    expect(renderTranscript(history)).toEqual([
      'USER "Ada": Where is it?',
      'CONTEXT: It is Monday.\nUSER quotes: this',
      'CALL read_file {"files":["a"]}',
      'RESULT: output of a',
    ]);
  });

  it('truncates outputs and inputs, and states by how much', () => {
    const long = message(
      'user',
      [{ type: 'tool_result', tool_use_id: 'a', output: 'x'.repeat(5000), is_error: true }],
      't',
    );
    expect(renderTranscript([long])).toEqual([`RESULT (error): ${'x'.repeat(1500)} [3500 more characters]`]);
  });

  it('is split into chunks within the limit, with every character once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })),
        fc.integer({ min: 2, max: 60 }),
        (pieces, max) => {
          const chunks = toChunks(pieces, max);
          for (const chunk of chunks) {
            expect(chunk).not.toBe('');
            expect(chunk.length).toBeLessThanOrEqual(max);
            expect(chunk.isWellFormed()).toBe(true);
          }
          const characters = (texts: readonly string[]) => texts.join('').replaceAll('\n', '');
          expect(characters(chunks)).toBe(characters(pieces));
        },
      ),
    );
  });

  it('starts with the previous summary, if there is one', () => {
    expect(askForSummary(null, 'USER: a', null)).not.toContain('summary_so_far');
    expect(askForSummary('## Goal\nTea', 'USER: a', null)).toMatch(
      /^<summary_so_far>\n## Goal\nTea\n<\/summary_so_far>/,
    );
  });

  it('contains the texts that are already known, if there are any', () => {
    expect(askForSummary(null, 'USER: a', [])).not.toContain('remembered_already');
    expect(askForSummary(null, 'USER: a', ['Likes tea.', 'Has a cat.'])).toBe(
      '<remembered_already>\n- Likes tea.\n- Has a cat.\n</remembered_already>\n\n' +
        '<conversation>\nUSER: a\n</conversation>\n\nWrite the summary now.',
    );
  });

  it('is joined to chunks up to their maximum length', () => {
    expect(toChunks([], 10)).toEqual([]);
    expect(toChunks(['aaaa', 'bbbb', 'cc'], 10)).toEqual(['aaaa\n\nbbbb', 'cc']);
    expect(toChunks(['aaaa', 'bbbbb'], 10)).toEqual(['aaaa', 'bbbbb']);
    expect(toChunks(['a'.repeat(11), 'b'], 10)).toEqual(['a'.repeat(10), 'a\n\nb']);
  });
});

describe('the texts to learn in an answer', () => {
  const learning = { heading: 'Learned', maxTexts: 3, maxChars: 20 };
  const split = (...rows: string[]) => withoutLearned(rows.join('\n'), learning);

  it('are the list under its heading, which is removed from the summary', () => {
    const rows = ['## Goal', 'Tea.', '### **learned**:', '- Likes tea.', '* Has a cat.'];
    const learned = ['Likes tea.', 'Has a cat.'];
    expect(split(...rows)).toEqual({ summary: '## Goal\nTea.', learned });
    expect(split(...rows, '## Decisions', '- None of these.')).toEqual({
      summary: '## Goal\nTea.\n## Decisions\n- None of these.',
      learned,
    });
    expect(split('## Learned', '- Likes tea.', '## Goal', 'Tea.')).toEqual({
      summary: '## Goal\nTea.',
      learned: ['Likes tea.'],
    });
  });

  it('are empty without the heading, and without a list below it', () => {
    expect(split('## Goal', '- Tea.')).toEqual({ summary: '## Goal\n- Tea.', learned: [] });
    expect(split('## Goal', 'Tea.', '## Learned', 'Likes tea.', '- ', '- None.')).toEqual({
      summary: '## Goal\nTea.',
      learned: [],
    });
  });

  it('are limited in number and length', () => {
    const texts = ['x'.repeat(21), 'x'.repeat(20), 'a', 'b', 'c'];
    expect(split('## Learned', ...texts.map(text => `- ${text}`)).learned).toEqual([
      'x'.repeat(20),
      'a',
      'b',
    ]);
  });
});

describe('the sections of a summary', () => {
  const headings = (text: string | null) => text?.match(/^## .*$/gm);
  const ALL = SECTIONS.map(section => `## ${section}`);

  it('are complete and in order, regardless of the response of the model', () => {
    const rows = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc
        .constantFrom(...SECTIONS)
        .chain(name => fc.constantFrom(`## ${name}`, `# **${name}**:`, `#### ${name}`)),
    );
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 12 }), answer => {
        const text = normalizeSummary(answer.join('\n'));
        if (text === null) return;
        expect(ALL.map(heading => text.split('\n').filter(row => row === heading).length)).toEqual([
          1, 1, 1, 1, 1,
        ]);
        expect(normalizeSummary(text)).toBe(text);
      }),
    );
  });

  it('put text under other headings or none into the last section', () => {
    const text = normalizeSummary('Well.\n\n## State of the work\nHalf done.\n## Risks\nNone known.');
    expect(headings(text)?.slice(0, 5)).toEqual(ALL);
    expect(text).toContain(
      '## Open items\nNone.\n\n## Names and paths\nNone.\n\n## State of the work\nWell.',
    );
    expect(text).toMatch(/Half done\.\n## Risks\nNone known\.$/);
  });

  it('are not a summary if all are empty', () => {
    expect(normalizeSummary('')).toBeNull();
    expect(normalizeSummary('  \n ')).toBeNull();
    expect(normalizeSummary(ALL.map(heading => `${heading}\nNone.`).join('\n'))).toBeNull();
  });
});

describe('the limit of a context window', () => {
  const model = { context_window: 100_000, max_output_tokens: 64_000 };

  it('follows the profile: off has no limit, tight compacts early, roomy late', () => {
    expect(roomIn(model, 'off', 0.8)).toBeNull();
    expect(roomIn(model, 'auto', 0.8)).toEqual({ limit: 80_000, keep: 20_000, squeezed: 56_000 });
    expect(roomIn(model, 'tight', 0.8)).toEqual({ limit: 50_000, keep: 15_000, squeezed: 35_000 });
    expect(roomIn(model, 'roomy', 0.8)).toEqual({ limit: 90_000, keep: 45_000, squeezed: 62_999 });
  });

  it('always leaves room for an answer, and keeps less than its limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4000, max: 2_000_000 }),
        fc.integer({ min: 1, max: 200_000 }),
        fc.constantFrom('auto' as const, 'tight' as const, 'roomy' as const),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (context_window, max_output_tokens, profile, at) => {
          const room = roomIn({ context_window, max_output_tokens }, profile, at);
          expect(room?.limit).toBeLessThanOrEqual(context_window - 1024);
          expect(room?.limit).toBeGreaterThan(0);
          expect(room?.keep).toBeLessThan(room?.limit as number);
          expect(room?.squeezed).toBeLessThan(room?.limit as number);
        },
      ),
    );
  });
});

function message(role: 'user' | 'assistant', content: StoredBlock[], turn_id: string | null): NewMessage {
  const created_at = '2026-01-01T00:00:00.000Z';
  return { id: `m${Math.random()}`, chat_id: 'c', role, turn_id, content, created_at, status: 'completed' };
}

const said = (role: 'user' | 'assistant', text: string, turn_id: string) =>
  message(role, [{ type: 'text', text }], turn_id);

const entry = (block: StoredBlock, turn_id: string | null = 't') => message('user', [block], turn_id);

const step = (id: string, turn_id: string) => [
  message('assistant', [{ type: 'tool_use', id, name: 'read_file', input: { files: [id] } }], turn_id),
  message(
    'user',
    [{ type: 'tool_result', tool_use_id: id, output: `output of ${id}`, is_error: false }],
    turn_id,
  ),
];

const isSpoken = ({ type, internal }: StoredBlock): boolean =>
  (type === 'text' || type === 'image' || type === 'quote') && !internal?.note && !internal?.compaction;
const callOf = (block: StoredBlock): string[] => (block.type === 'tool_use' ? [block.id] : []);
const resultOf = (block: StoredBlock): string[] => (block.type === 'tool_result' ? [block.tool_use_id] : []);
