/** Dialogs as pure models: what a key decides, and what it must not decide. */
import { DECISION_FACTS } from '@chat-kernel/client';
import { describe, expect, it } from 'vitest';
import { addAllowToday } from '../../../test/harness/decision.ts';
import {
  type ApprovalRequest,
  buildApprovalRows,
  keyOfRow,
  openApproval,
  pasteIntoApproval,
  QUIET_MS,
  reduceApproval,
} from '../src/dialogs/approval.ts';
import { approvalLines, isReadable } from '../src/dialogs/approval-lines.ts';
import {
  matching,
  openPicker,
  type PickerRequest,
  pickerLines,
  reducePicker,
} from '../src/dialogs/picker.ts';
import {
  openQuestion,
  type QuestionRequest,
  questionLines,
  reduceQuestion,
} from '../src/dialogs/question.ts';
import { press } from '../src/editor/press.ts';
import { lineText } from '../src/text/line.ts';

const DECISIONS = ['allow', 'allow_later_maybe', 'allow_session', 'deny'];
const LATER = QUIET_MS + 1;
const text = (lines: ReturnType<typeof approvalLines>) => lines.map(lineText);
const SHELL: ApprovalRequest = {
  op_id: 'o1',
  action: 'shell',
  params: { command: 'rm -rf build\u001b[8m; curl evil' },
  decisions: DECISIONS,
  agent: 'Scout',
  workdir: '/home/me/project',
};
/** The choice that the keys make, each pressed after a moment of silence, and the state after them. */
const pressed = (keys: ReturnType<typeof press>[], request = SHELL, from = LATER) => {
  let state = openApproval(0);
  for (const [index, each] of keys.entries()) {
    const step = reduceApproval(request, state, each, from + index * LATER);
    state = step.state;
    if (step.choice !== null) return { state, choice: step.choice };
  }
  return { state, choice: null };
};
const ask = (keys: ReturnType<typeof press>[], from = LATER) =>
  pressed(keys, SHELL, from).choice?.decision ?? null;

describe('approval', () => {
  it('decides nothing on Enter while nothing is selected [OP-4]', () => {
    expect(ask([press('enter')])).toBeNull();
    expect(ask([press('text', ' ')])).toBeNull();
    expect(ask([press('down'), press('enter')])).toBe('allow');
    expect(ask([press('up'), press('enter')])).toBe('allow_session');
  });

  it('has the same key and place for each decision, whatever else is offered [HANDS-7]', () => {
    for (const decisions of [
      DECISIONS,
      ['deny', 'allow'],
      ['allow', 'allow_always', 'allow_edits', 'deny'],
    ]) {
      const request = { ...SHELL, decisions };
      expect(buildApprovalRows(request).slice(0, 3)).toEqual(['allow', 'deny', 'tell']);
      expect(pressed([press('text', 'y')], request).choice).toEqual({ decision: 'allow' });
      expect(pressed([press('text', '1')], request).choice).toEqual({ decision: 'allow' });
      expect(pressed([press('text', 'n')], request).choice).toEqual({ decision: 'deny' });
      expect(pressed([press('text', '4')], request).choice).toBeNull();
    }
    const all = Object.keys(DECISION_FACTS);
    expect(buildApprovalRows({ decisions: all }).slice(3)).toEqual(all.slice(1, -1));
    expect(new Set(buildApprovalRows({ decisions: all }).map(keyOfRow)).size).toBe(all.length + 1);
  });

  it('only selects a lasting decision by its letter, and takes it on Enter after a pause [OP-4]', () => {
    expect(ask([press('text', 's')])).toBeNull();
    expect(ask([press('text', 's'), press('enter')])).toBe('allow_session');
    const { state } = reduceApproval(SHELL, openApproval(0), press('text', 's'), LATER);
    expect(text(approvalLines(SHELL, state, { width: 60, rows: 12 })).slice(-2)).toEqual([
      '› s  Allow this exact command for this session',
      'Enter confirm · Esc deny',
    ]);
    expect(reduceApproval(SHELL, state, press('enter'), LATER + 100).choice).toBeNull();
    // More text follows, so the letter was the beginning of a message.
    const typed = reduceApproval(SHELL, state, press('text', 'o'), LATER + 100);
    expect(typed).toMatchObject({ early: true, state: { selected: null } });
    expect(reduceApproval(SHELL, typed.state, press('enter'), 3 * LATER).choice).toBeNull();
  });

  it('treats Esc and ctrl-c as deny at any time', () => {
    expect(ask([press('escape')], 0)).toBe('deny');
    expect(ask([press('text', 'c', { ctrl: true })], 0)).toBe('deny');
  });

  it('ignores keys until a pause', () => {
    let state = openApproval(0);
    for (const now of [100, 450, 800, 1150]) {
      const step = reduceApproval(SHELL, state, press('text', '1'), now);
      expect(step).toMatchObject({ choice: null, early: true });
      state = step.state;
    }
    expect(reduceApproval(SHELL, state, press('text', '1'), 1150 + QUIET_MS).choice).toEqual({
      decision: 'allow',
    });
  });

  it('shows the full command, its location, and the sub-agent that asks [OP-7]', () => {
    expect(text(approvalLines(SHELL, openApproval(0), { width: 60, rows: 12 }))).toEqual([
      '── Sub-agent Scout wants to run a command on this machine',
      'in /home/me/project',
      '$ rm -rf build␛[8m; curl evil',
      '  y  Allow once',
      '  n  Deny',
      '  f  Deny with feedback',
      '  s  Allow this exact command for this session',
      'a letter, or ↑↓ and Enter · Esc deny',
    ]);
  });

  it('shows a line for each decision that it knows, with its label, and skips unknown ones [OP-4] [HANDS-7]', () => {
    addAllowToday(DECISION_FACTS);
    const write = { ...SHELL, action: 'write_bytes', params: { path: 'a' } };
    const decisions = ['allow_session', 'allow_today', 'allow_always', 'allow_later'];
    const lines = text(approvalLines({ ...write, decisions }, openApproval(0), { width: 60, rows: 14 }));
    expect(lines.filter(each => /^ +\w {2}/.test(each))).toEqual([
      '  s  Allow for this session',
      '  a  Always allow',
      '  t  Allow for today',
    ]);
  });

  it.each([
    ['bwrap', 'sandboxed, in /home/me/project'],
    ['none', 'not sandboxed, in /home/me/project'],
    [undefined, 'in /home/me/project'],
  ] as const)('shows where the kernel runs an operation in the sandbox %s [WHO-6]', (sandbox, where) => {
    const own = { ...SHELL, hands: null, ...(sandbox && { sandbox }) };
    const shown = (request: ApprovalRequest, width: number) =>
      text(approvalLines(request, openApproval(0), { width, rows: 12 }));
    expect(shown(own, 80).slice(0, 2)).toEqual([
      '── Sub-agent Scout wants to run a command on the server',
      where,
    ]);
    expect(shown({ ...own, workdir: null }, 40)[1]).toBe(
      sandbox ? where.slice(0, where.indexOf(',')) : '$ rm -rf build␛[8m; curl evil',
    );
  });

  it('shows why the kernel asks, and what the turn has read, below the title [CONSENT-1]', () => {
    const own = { ...SHELL, hands: null, reason: 'It asks.', outside: ['web:a.org', 'mail:\u202ex'] };
    const shown = (rows: number) => text(approvalLines(own, openApproval(0), { width: 80, rows }));
    expect(shown(14).slice(1, 5)).toEqual([
      'It asks.',
      'This turn has read: web:a.org, mail:<U+202E>x',
      'in /home/me/project',
      '$ rm -rf build␛[8m; curl evil',
    ]);
    // In a small window they scroll with the operation.
    expect(shown(8).join('\n')).toContain('It asks.');
  });

  it('shows all commands or paths of a call, if the decision covers them [HANDS-7]', () => {
    const shown = (action: string, call: string[]) =>
      text(approvalLines({ ...SHELL, action, call }, openApproval(0), { width: 60, rows: 14 })).slice(0, 5);
    expect(shown('shell', ['ls', 'echo a\nrm \u202ex'])).toEqual([
      '── Sub-agent Scout wants to run 2 commands on this machine',
      'in /home/me/project',
      '1. ls',
      '2. echo a',
      '   rm <U+202E>x',
    ]);
    const whole = { ...SHELL, call: ['ls', 'pwd'] };
    expect(text(approvalLines(whole, openApproval(0), { width: 60, rows: 14 }))).toContain(
      '  s  Allow for this session',
    );
    expect(shown('read', ['a.txt', '/etc/hosts']).slice(0, 1)).toEqual([
      '── Sub-agent Scout wants to read 2 files on this machine',
    ]);
  });

  it('shows the exact text of a shell command: escape sequences, newlines, hidden characters', () => {
    const shown = (command: string) =>
      text(approvalLines({ ...SHELL, params: { command } }, openApproval(0), { width: 60, rows: 14 }));
    expect(shown('ls \u001b]a;b&reboot&c\u0007')).toContain('$ ls ␛]a;b&reboot&c␇');
    expect(shown('echo # one\rtwo\nthree').slice(2, 4)).toEqual(['$ echo # one␍two', '  three']);
    expect(shown('cat a\u200db \u3164x')).toContain('$ cat a<U+200D>b <U+3164>x');
    expect(shown('echo 👩‍👧 ❤️')).toContain('$ echo 👩‍👧 ❤️');
  });

  it('shows a long directory, a long path and each parameter in full', () => {
    const deep = `/home/${'d'.repeat(70)}/end`;
    const size = { width: 40, rows: 24 };
    expect(text(approvalLines({ ...SHELL, workdir: deep }, openApproval(0), size)).join('')).toContain(deep);
    const params = { path: `${deep}/${'f'.repeat(300)}.txt`, offset: 0, data: 'AAECAw==', truncate: true };
    const bytes = { ...SHELL, action: 'write_bytes', params };
    const all = text(approvalLines(bytes, openApproval(0), size)).join('');
    for (const part of [params.path, 'offset: 0', 'data: AAECAw==', 'truncate: true'])
      expect(all).toContain(part);
  });

  it('shows operation and choices on a small screen, and is not readable if they do not fit', () => {
    const size = { width: 40, rows: 7 };
    const long = { ...SHELL, params: { command: 'for i in $(seq 1 5000); do echo line $i; done; rm -rf ~' } };
    expect(isReadable(long, openApproval(0), size)).toBe(true);
    expect(text(approvalLines(long, openApproval(0), size))).toEqual([
      '── Sub-agent Scout wants to run a comma…',
      'in /home/me/project',
      '$ for i in $(seq 1 5000); do echo line $',
      'i; done; rm -rf ~',
      'y once  n deny  f feedback  s session',
      'a letter, or ↑↓ and Enter · Esc deny',
    ]);
    const least = { width: 40, rows: 4 };
    expect(isReadable(long, openApproval(0), least)).toBe(false);
    expect(text(approvalLines(long, openApproval(0), least))).toContain(
      'Window too small to review this. Enlarge it.',
    );
  });

  it('wraps a line of choices only between two choices', () => {
    const choicesAt = (width: number) =>
      text(approvalLines(SHELL, openApproval(0), { width, rows: 6 })).filter(each =>
        /^[ynfs] |^$|^ /.test(each),
      );
    expect(choicesAt(37)).toEqual(['y once  n deny  f feedback  s session']);
    expect(choicesAt(36)).toEqual(['y once  n deny  f feedback', 's session']);
    expect(choicesAt(24)).toEqual(['y once  n deny', 'f feedback  s session']);
  });

  it('warns that a write replaces content that cannot be shown', () => {
    const write = { ...SHELL, action: 'write', params: { path: 'a.bin', content: 'x' } };
    const shown = (facts: Partial<ApprovalRequest>) =>
      text(approvalLines({ ...write, ...facts }, openApproval(0), { width: 80, rows: 24 })).join('\n');
    expect(shown({})).toContain("The current file can't be shown. All of it would be replaced.");
    expect(shown({ unreadable: 'It is not text.' })).toContain(
      "The current file can't be shown. It is not text. All of it would be replaced.",
    );
    expect(shown({ before: null })).not.toContain("can't be shown");
    expect(shown({ before: null })).toContain('New file.');
    expect(shown({ before: 'y' })).not.toContain('New file.');
  });

  it('compares a file with its new text, in the line ends that the file keeps', () => {
    const write = { ...SHELL, action: 'write', params: { path: 'a.txt', content: 'one\nTWO\n' } };
    const facts = { before: 'one\r\ntwo\r\n', after: 'one\r\nTWO\r\n' };
    const shown = text(approvalLines({ ...write, ...facts }, openApproval(0), { width: 60, rows: 24 }));
    expect(shown).toContain('a.txt  +1 −1');
  });

  it('returns typed letters to the input, and ignores keys again after them', () => {
    const letter = reduceApproval(SHELL, openApproval(0), press('text', 'x'), LATER);
    expect(letter).toMatchObject({ choice: null, early: true });
    expect(reduceApproval(SHELL, letter.state, press('text', 'y'), LATER + 100)).toMatchObject({
      choice: null,
      early: true,
    });
  });

  it('shows which lines of a long command are visible, and scrolls to the others', () => {
    const long = {
      ...SHELL,
      params: { command: Array.from({ length: 20 }, (_, line) => `echo ${line}`).join('\n') },
    };
    const size = { width: 60, rows: 13 };
    expect(text(approvalLines(long, openApproval(0), size))).toContain(
      '1–5 of 20 lines · PgUp PgDn to scroll',
    );
    const { state } = reduceApproval(long, openApproval(0), press('pagedown'), LATER);
    expect(text(approvalLines(long, state, size))).toContain('  echo 5');
  });

  it('denies with feedback, which Esc closes [HANDS-7]', () => {
    const tell = press('text', 'f');
    const typed = pressed([tell, press('text', 'Ask '), press('text', '?')]).state;
    const { state } = pasteIntoApproval(typed, ' first', 0);
    expect(text(approvalLines(SHELL, state, { width: 60, rows: 12 }))).toEqual([
      '── Sub-agent Scout wants to run a command on this machine',
      'in /home/me/project',
      '$ rm -rf build␛[8m; curl evil',
      '› Ask ? first ',
      'Enter deny and send · Esc back',
    ]);
    expect(reduceApproval(SHELL, state, press('enter'), 0).choice).toEqual({
      decision: 'deny',
      error: 'Ask ? first',
    });
    expect(ask([tell, press('enter')])).toBeNull();
    expect(ask([tell, press('text', 'x'), press('escape'), press('text', 'y')])).toBe('allow');
    expect(pressed([tell, press('text', 'c', { ctrl: true })]).choice).toEqual({ decision: 'deny' });
    const mustBeAllowed = { ...SHELL, decisions: ['allow'] };
    expect(text(approvalLines(mustBeAllowed, openApproval(0), { width: 60, rows: 12 }))).not.toContain(
      '  f  Deny with feedback',
    );
  });

  it('selects the word count of a prefix, at least one and never past a quote [HANDS-7]', () => {
    const npm = {
      ...SHELL,
      params: { command: 'npm run test "a b" c' },
      decisions: ['allow', 'allow_prefix', 'deny'],
    };
    const right = press('right');
    const left = press('left');
    const prefix = (...keys: ReturnType<typeof press>[]) =>
      pressed([...keys, press('text', 'p'), press('enter')], npm).choice?.prefix;
    expect(prefix()).toBe('npm run test');
    expect(prefix(right)).toBe('npm run test');
    // One step back is one step back, however often the end was reached.
    expect(prefix(right, right, right, left)).toBe('npm run');
    expect(prefix(left, left, left)).toBe('npm');
    const shown = (rows: number) =>
      text(approvalLines(npm, pressed([right], npm).state, { width: 90, rows })).join('\n');
    expect(shown(12)).toContain('p  Always allow commands starting with: npm run test (←→)');
    // A small window also shows the allowed words.
    expect(shown(5)).toContain('p npm run test … (←→)');
  });

  it('shows a write as a diff against the current file', () => {
    const write = {
      op_id: 'o2',
      action: 'write',
      params: { path: 'a.txt', content: 'one\nTWO\n' },
      decisions: ['allow', 'deny'],
      before: 'one\ntwo\n',
    };
    expect(text(approvalLines(write, openApproval(0), { width: 60, rows: 14 })).slice(0, 6)).toEqual([
      '── The model wants to write a file on this machine',
      'a.txt  +1 −1',
      'line 1 → 1',
      ' one',
      '-two',
      '+TWO',
    ]);
  });
});

describe('question', () => {
  const request: QuestionRequest = {
    id: 'q',
    index: 0,
    total: 2,
    question: 'Which\ncolour?',
    header: 'Paint',
    options: [{ label: 'Red', description: 'like a rose' }, { label: 'Blue' }],
    decisions: { discuss: 'Talk it over', answer_in_text: 'In my own words', sing: 'Sing' },
  };
  const answer = (given: QuestionRequest, ...keys: ReturnType<typeof press>[]) => {
    let state = openQuestion(0);
    for (const [index, each] of keys.entries()) {
      const step = reduceQuestion(given, state, each, (index + 1) * LATER);
      if (step.answer !== null) return step.answer;
      state = step.state;
    }
    return null;
  };

  it('offers the options, a typed answer, and the known meta-decisions [BT-5]', () => {
    expect(text(questionLines(request, openQuestion(0), { width: 50, rows: 12 }))).toEqual([
      '── Paint (1 of 2)',
      'Which colour?',
      '  1. Red  like a rose',
      '  2. Blue',
      '  3. Other: type an answer',
      '  4. Talk it over',
      '  5. In my own words',
      'a number, or ↑↓ and Enter · Esc discuss',
    ]);
    expect(answer(request, press('text', '2'))).toEqual({ answer: 'Blue' });
    expect(answer(request, press('text', '5'))).toEqual({ decision: 'answer_in_text' });
    expect(answer(request, press('escape'))).toEqual({ decision: 'discuss' });
    expect(answer(request, press('enter'))).toBeNull();
  });

  it('shows the selected option if not all fit', () => {
    const size = { width: 40, rows: 7 };
    const shown = (selected: number | null) =>
      text(questionLines(request, { ...openQuestion(0), selected }, size));
    expect(shown(null)).toContain('1–4 of 6 lines · ↑↓ to scroll');
    expect(shown(4)).toContain('› 5. In my own words');
  });

  it('accepts a typed answer, and returns from it on Esc', () => {
    const words = [press('text', '3'), press('text', 'Green'), press('enter')];
    expect(answer(request, ...words)).toEqual({ answer: 'Green' });
    expect(answer(request, press('text', '3'), press('escape'), press('text', '1'))).toEqual({
      answer: 'Red',
    });
    expect(answer(request, press('text', '3'), press('enter'))).toBeNull();
  });

  it('sends several options if the question allows several', () => {
    const several = { ...request, multi_select: true };
    expect(answer(several, press('text', '2'), press('text', '1'), press('enter'))).toEqual({
      answer: 'Red, Blue',
    });
    expect(answer(several, press('text', '2'), press('text', '2'), press('enter'))).toBeNull();
  });
});

describe('picker', () => {
  const request: PickerRequest = {
    id: 'p',
    title: 'Model',
    entries: [
      { id: 'a/small', label: 'a/small' },
      { id: 'b/large', label: 'b/large', detail: '200k', current: true },
      { id: 'c/huge', label: 'c/huge' },
    ],
  };

  it('filters while typing, and starts at the current setting', () => {
    const state = openPicker(request);
    expect(reducePicker(request, state, press('enter')).picked?.id).toBe('b/large');
    const typed = reducePicker(request, state, press('text', 'hu')).state;
    expect(matching(request, typed.query).map(each => each.id)).toEqual(['c/huge']);
    expect(text(pickerLines(request, typed, { width: 40, rows: 8 }))).toEqual([
      '── Model',
      'search: hu ',
      '› c/huge',
      '1 · ↑↓ Enter · Esc close',
    ]);
    expect(reducePicker(request, state, press('escape')).closed).toBe(true);
  });

  it('asks for confirmation before an irreversible step, and Enter does not confirm', () => {
    const rewind = { ...request, confirm: () => 'Delete it and all after it?' };
    const asked = reducePicker(rewind, openPicker(rewind), press('enter'));
    expect(asked.picked).toBeNull();
    expect(text(pickerLines(rewind, asked.state, { width: 40, rows: 8 }))[2]).toBe(
      'Delete it and all after it?',
    );
    expect(reducePicker(rewind, asked.state, press('enter')).picked).toBeNull();
    expect(reducePicker(rewind, asked.state, press('text', 'y')).picked?.id).toBe('b/large');
    expect(reducePicker(rewind, asked.state, press('escape')).state.confirming).toBeNull();
  });
});
