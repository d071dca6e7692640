/** The whole screen as a terminal shows it. */
import type { Item } from '@chat-kernel/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { QUIET_MS } from '../src/dialogs/approval.ts';
import type { Dialog } from '../src/dialogs/dialog.ts';
import { Emulator, withoutExpected } from './emulator.ts';
import { agent, COLOURS, call, IDLE, NOW, screenOf, thinking, user } from './screen-props.ts';

let terminal: Emulator;
afterEach(() => terminal.close());

const STATUS = 'demo/demo · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k · price unknown';
const history: Item[] = [
  user('hello'),
  thinking('let me see what there is'),
  call({ output: 'a.txt\nb.txt' }),
  agent('# Done\n\nTwo **files**:\n\n- a\n- b'),
];

describe('the chat screen', () => {
  it('shows history, input and status at 80 columns', async () => {
    terminal = new Emulator(80, 24);
    await terminal.show(screenOf({ items: history }));
    expect(terminal.screen()).toEqual([
      '',
      '▌ hello',
      '',
      '✻ thought · 6 words',
      '',
      '● shell ls -la',
      '  a.txt',
      '  b.txt',
      '',
      'Done',
      '',
      'Two files:',
      '',
      '• a',
      '• b',
      '─'.repeat(80),
      '› Say something',
      STATUS,
    ]);
    expect(terminal.cursor()).toEqual({ x: 2, y: 16 });
  });

  it('shows a running turn with its plan and progress at 200 columns', async () => {
    terminal = new Emulator(200, 60);
    await terminal.show(
      screenOf({
        items: [
          user('go'),
          call({ status: 'running', progress: 'one\ntwo' }),
          agent('Half of a **sen', 'running'),
        ],
        plan: [
          { title: 'look', status: 'completed' },
          { title: 'write', status: 'in_progress' },
        ],
        status: { ...IDLE, turn: { state: 'running', started_at: NOW - 5000 }, queued: 1, title: 'My chat' },
      }),
    );
    const screen = terminal.screen();
    expect(screen.filter((_, row) => row !== 11)).toEqual([
      '',
      '▌ go',
      '',
      '○ shell ls -la',
      '  one',
      '  two',
      '',
      'Half of a **sen',
      'Plan 1/2',
      '☑ look',
      '▸ write',
      '─'.repeat(200),
      '› Say something',
      `${STATUS} · 1 queued · My chat`,
    ]);
    expect(screen[11]).toMatch(/^\S working 5 s · Esc to stop$/);
  });

  it('prints finished items once, and redraws at most one screen', async () => {
    terminal = new Emulator(60, 16);
    let text = '';
    for (let index = 0; index < 40; index++) {
      text += `Paragraph ${index} of an answer.\n\n`;
      await terminal.show(screenOf({ items: [user('tell'), agent(text, 'running')] }));
      expect(terminal.screen().length).toBeLessThanOrEqual(16);
    }
    await terminal.show(screenOf({ items: [user('tell'), agent(text.trim())] }));
    const paragraphs = terminal.everything().filter(each => each.startsWith('Paragraph'));
    expect(paragraphs).toEqual(Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of an answer.`));
    expect(terminal.bytes).not.toContain('\u001b[3J');
  });

  it('does not print a turn again when the history returns its items with other ids [ITEM-10]', async () => {
    terminal = new Emulator(60, 24);
    const live = [
      user('hi'),
      agent('First part', 'completed', 't1:0'),
      call({ output: 'x' }),
      agent('Rest', 'running', 't1:2'),
    ];
    await terminal.show(screenOf({ items: live }));
    const stored = [
      user('hi'),
      agent('First part', 'completed', 'm2:0'),
      { ...call({ output: 'x' }), id: 'm2:1' },
      agent('Rest of it', 'completed', 'm4:0'),
    ];
    await terminal.show(screenOf({ items: stored }));
    expect(
      terminal
        .everything()
        .filter(each => each !== '')
        .slice(0, 5),
    ).toEqual(['▌ hi', 'First part', '● shell ls -la', '  x', 'Rest of it']);
  });

  it('redraws after a resize without duplicate or missing lines', async () => {
    terminal = new Emulator(80, 24);
    const long = agent(
      `${'words that wrap '.repeat(12)}\n\n| a | b |\n|---|---|\n| one | ${'two '.repeat(14)}|`,
    );
    await terminal.show(screenOf({ items: [user('hello'), long], status: { ...IDLE, title: 'a title' } }));
    await terminal.resize(40, 24);
    const narrow = terminal.screen();
    expect(narrow.slice(-3)).toEqual(['─'.repeat(40), '› Say something', 'demo/demo · ▰▰▱▱▱▱▱▱ 25% of 100k']);
    expect(narrow.filter(each => each.includes('─┼─'))).toHaveLength(1);
    expect(narrow.filter(each => each.startsWith('─'.repeat(40)))).toHaveLength(1);
    await terminal.resize(80, 24);
    expect(terminal.screen().slice(-3)).toEqual(['─'.repeat(80), '› Say something', `${STATUS} · a title`]);
    expect(terminal.screen().filter(each => each === '▌ hello')).toHaveLength(1);
    await terminal.resize(80, 10);
    expect(terminal.screen().slice(-3)).toEqual(['─'.repeat(80), '› Say something', `${STATUS} · a title`]);
  });

  it('expands thinking and results with ctrl-o', async () => {
    terminal = new Emulator(80, 30);
    await terminal.show(screenOf({ items: history }));
    await terminal.keys('\u000f');
    expect(terminal.screen().slice(0, 5)).toEqual([
      '',
      '▌ hello',
      '',
      '✻ thought · 6 words',
      '  let me see what there is',
    ]);
    await terminal.keys('\u000f');
    expect(terminal.screen()[4]).toBe('');
  });

  it('clears the screen for another chat', async () => {
    terminal = new Emulator(60, 20);
    await terminal.show(screenOf({ items: history }));
    await terminal.show(screenOf({ chatKey: 'two', items: [user('another')] }));
    expect(terminal.screen()).toEqual([
      '',
      '▌ another',
      '─'.repeat(60),
      '› Say something',
      'demo/demo · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k',
    ]);
  });

  it('prints the text of a hostile chat without its escape sequences', async () => {
    terminal = new Emulator(80, 24);
    const evil =
      'x\u202e\u001b]0;owned\u0007\u001b[2J\u001b[?1049h\u001bP1;2q\u001b\\\u009b5n\u0007\u001b_Gf=100;AAAA\u001b\\y';
    await terminal.show(
      screenOf({
        capabilities: COLOURS,
        items: [
          user(evil),
          call({ name: evil, input: { commands: [evil] }, output: evil }),
          agent(`[a](https://a.example/${evil}) \`${evil}\`\n\n\`\`\`ts\n${evil}`),
          agent(`more ${evil}`, 'running', 't1:1'),
        ],
        plan: [{ title: evil, status: 'pending' }],
        status: { ...IDLE, title: evil, model: evil, notice: { text: evil, kind: 'info' } },
      }),
    );
    expect(withoutExpected(terminal.bytes)).not.toMatch(/(?![\r\n])\p{Cc}/u);
    expect(terminal.bytes).not.toContain('\u001b[2J');
    expect(terminal.bytes).not.toContain('\u202e');
    expect(terminal.screen()[1]).toMatch(/^▌ x<U\+202E>/);
    expect(terminal.bytes).not.toContain('\u001b[?1049');
  });

  it('shows the end of an answer that is too long for the screen, and never fills the screen', async () => {
    terminal = new Emulator(80, 24);
    const words = Array.from({ length: 900 }, (_, index) => `w${index}`).join(' ');
    await terminal.show(screenOf({ items: [user('go'), agent(words, 'running')] }));
    const screen = terminal.screen();
    expect(screen).toHaveLength(23);
    expect(screen[0]).toMatch(/^… \d+ more above$/);
    expect(screen.slice(-4)).toEqual([
      expect.stringMatching(/ w899$/),
      '─'.repeat(80),
      '› Say something',
      STATUS,
    ]);
    expect(terminal.everything().slice(0, 2)).toEqual(['', '▌ go']);
  });

  it('draws a new image once, and shows images of the history as links', async () => {
    terminal = new Emulator(80, 24);
    const image = (image_id: string): Item => ({
      id: image_id,
      kind: 'image',
      status: 'completed',
      turn_id: 't1',
      created_at: '2026-01-02T03:04:05.000Z',
      image_id,
      media_type: 'image/png',
      url: `/images/${image_id}`,
    });
    const asked: string[] = [];
    const given = {
      capabilities: { ...COLOURS, images: 'kitty' as const },
      imageBytes: async ({ image_id }: { image_id: string }) => {
        asked.push(image_id);
        return new Uint8Array([1, 2, 3]);
      },
    };
    await terminal.show(screenOf({ ...given, items: [image('old')] }));
    await terminal.show(screenOf({ ...given, items: [image('old'), image('new')] }));
    await terminal.show(screenOf({ ...given, items: [image('old'), image('new')] }));
    expect(asked).toEqual(['new']);
    expect(terminal.bytes.split('\u001b_Gf=100,a=T,q=2,c=40,m=0;AQID\u001b\\')).toHaveLength(2);
    expect(terminal.everything()).toContain('🖼 image/png /images/new');
  });
});

describe('the input', () => {
  it('accepts keys, inserts newlines, and sends', async () => {
    terminal = new Emulator(60, 20);
    const sent: unknown[] = [];
    await terminal.show(screenOf({ onSubmit: what => sent.push(what) }));
    await terminal.keys('hello', '\u001b\r', 'wörld 漢');
    expect(terminal.screen()).toContain('› hello');
    expect(terminal.screen()).toContain('  wörld 漢');
    expect(terminal.cursor()).toEqual({ x: 10, y: 2 });
    await terminal.keys('\r');
    expect(sent).toEqual([{ text: 'hello\nwörld 漢', attachments: [] }]);
    expect(terminal.screen()).toContain('› Say something');
    await terminal.keys('\u001b[A');
    expect(terminal.screen()).toContain('› hello');
  });

  it('completes commands with their descriptions, and files', async () => {
    terminal = new Emulator(60, 20);
    const sent: unknown[] = [];
    await terminal.show(screenOf({ onSubmit: what => sent.push(what) }));
    await terminal.keys('/');
    expect(terminal.screen().slice(1, 4)).toEqual([
      '› /',
      '› /help        show keys and commands',
      '  /model <id>  choose a model',
    ]);
    await terminal.keys('\u001b[B', '\t');
    expect(terminal.screen()[1]).toBe('› /model');
    await terminal.keys('\u0015', 'see @src/m');
    expect(terminal.screen().slice(1, 3)).toEqual(['› see @src/m', '› src/main.ts']);
    await terminal.keys('\r');
    expect(terminal.screen()[1]).toBe('› see @src/main.ts');
    expect(sent).toEqual([]);
    await terminal.keys('\u0015', '/he', '\r');
    expect(sent).toEqual([{ text: '/help', attachments: [] }]);
  });

  it('treats a bracketed paste as one unit, and requests an image by its path', async () => {
    terminal = new Emulator(60, 20);
    const sent: unknown[] = [];
    const image = { kind: 'image', name: 'shot.png', media_type: 'image/png', data: 'AA==' } as const;
    await terminal.show(screenOf({ onSubmit: what => sent.push(what), onPath: async () => image }));
    const text = Array.from({ length: 120 }, (_, row) => `row ${row}`).join('\r');
    await terminal.keys(`\u001b[200~${text}\u001b[201~`, '\u001b[200~/tmp/shot.png\u001b[201~');
    expect(terminal.screen()[1]).toBe('› [pasted 120 lines][image shot.png]');
    await terminal.keys('\r');
    expect(sent).toEqual([{ text: text.replaceAll('\r', '\n'), attachments: [image] }]);
  });
});

describe('a dialog on the screen', () => {
  const approval = (decisions: string[], request = 'o1'): Dialog => ({
    kind: 'approval',
    request: { op_id: request, action: 'shell', params: { command: 'make' }, decisions: ['allow', 'deny'] },
    onChoice: ({ decision }) => decisions.push(`${request} ${decision}`),
  });

  it('treats typing in progress as text before it accepts a decision', async () => {
    terminal = new Emulator(70, 20);
    let now = NOW;
    const clock = () => now;
    const decisions: string[] = [];
    await terminal.show(screenOf({ clock }));
    await terminal.keys('I have ');
    await terminal.show(screenOf({ clock, dialog: approval(decisions) }));
    await terminal.keys('1', '\r');
    expect(decisions).toEqual([]);
    now += QUIET_MS;
    await terminal.keys('\r');
    expect(decisions).toEqual([]);
    // The line with the keys changes automatically after the pause.
    await expect
      .poll(() => terminal.screen())
      .toEqual([
        '── The model wants to run a command on this machine',
        '$ make',
        '  y  Allow once',
        '  n  Deny',
        '  f  Deny with feedback',
        'a letter, or ↑↓ and Enter · Esc deny',
        'demo/demo · effort mid · ▰▰▱▱▱▱▱▱ 25% of 100k · price unknown',
      ]);
    await terminal.keys('1');
    expect(decisions).toEqual(['o1 allow']);
    await terminal.show(screenOf({ clock, dialog: approval(decisions, 'o2') }));
    await terminal.keys('1');
    expect(decisions).toEqual(['o1 allow']);
    await terminal.keys('\u001b');
    expect(decisions).toEqual(['o1 allow', 'o2 deny']);
    await terminal.show(screenOf({ clock }));
    expect(terminal.screen().slice(1, 3)).toEqual(['› I have 1', '  1']);
  });

  it('keeps a partly typed answer while the terminal asks about an operation', async () => {
    terminal = new Emulator(70, 20);
    let now = NOW;
    const clock = () => now;
    const answers: unknown[] = [];
    const question: Dialog = {
      kind: 'question',
      request: { id: 'q', index: 0, total: 1, question: 'Why?', options: [{ label: 'So' }], decisions: {} },
      onAnswer: answer => answers.push(answer),
    };
    await terminal.show(screenOf({ clock, dialog: question }));
    now += QUIET_MS;
    await terminal.keys('2', 'because');
    await terminal.show(screenOf({ clock, dialog: approval([]) }));
    await terminal.show(screenOf({ clock, dialog: question }));
    expect(terminal.screen()).toContain('› because');
    await terminal.keys('\r');
    expect(answers).toEqual([{ answer: 'because' }]);
  });

  it('does not accept an approval if the screen is too small to show the operation', async () => {
    terminal = new Emulator(20, 5);
    let now = NOW;
    const clock = () => now;
    const decisions: string[] = [];
    await terminal.show(screenOf({ clock, dialog: approval(decisions) }));
    now += QUIET_MS;
    await terminal.keys('1');
    expect(decisions).toEqual([]);
    await terminal.keys('\u001b');
    expect(decisions).toEqual(['o1 deny']);
  });

  it('filters a picker while typing, and reports the choice', async () => {
    terminal = new Emulator(60, 20);
    const picked: string[] = [];
    const dialog: Dialog = {
      kind: 'picker',
      request: { id: 'models', title: 'Model', entries: ['a/one', 'b/two'].map(id => ({ id, label: id })) },
      onPick: entry => picked.push(entry.id),
      onClose: () => picked.push('closed'),
    };
    await terminal.show(screenOf({ dialog }));
    await terminal.keys('tw');
    expect(terminal.screen().slice(0, 4)).toEqual([
      '── Model',
      'search: tw',
      '› b/two',
      '1 · ↑↓ Enter · Esc close',
    ]);
    await terminal.keys('\r', '\u001b');
    expect(picked).toEqual(['b/two', 'closed']);
  });

  it('never fills the screen, even a very small one', async () => {
    for (const [columns, rows] of [
      [40, 8],
      [80, 24],
      [200, 60],
    ] as const) {
      terminal = new Emulator(columns, rows);
      const dialog: Dialog = { kind: 'help', onClose: () => undefined };
      await terminal.show(screenOf({ dialog, items: [agent('words '.repeat(900), 'running')] }));
      const screen = terminal.screen();
      expect(screen.length).toBeLessThan(rows);
      expect(screen.some(each => each.startsWith('── Help'))).toBe(true);
      if (rows < 60) terminal.close();
    }
  });
});
