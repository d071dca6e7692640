/** Dialogs as pure models: what a key decides, and what it must not decide. */
import { describe, expect, it } from 'vitest';
import {
  type ApprovalRequest,
  openApproval,
  pasteIntoApproval,
  QUIET_MS,
  stepApproval,
} from '../src/dialogs/approval.ts';
import { approvalLines, isReadable } from '../src/dialogs/approval-lines.ts';
import { matching, openPicker, type PickerRequest, pickerLines, stepPicker } from '../src/dialogs/picker.ts';
import { openQuestion, type QuestionRequest, questionLines, stepQuestion } from '../src/dialogs/question.ts';
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
    const step = stepApproval(request, state, each, from + index * LATER);
    state = step.state;
    if (step.choice !== null) return { state, choice: step.choice };
  }
  return { state, choice: null };
};
const ask = (keys: ReturnType<typeof press>[], from = LATER) =>
  pressed(keys, SHELL, from).choice?.decision ?? null;

describe('approval', () => {
  it('decides nothing by Enter alone, for nothing is selected [OP-4]', () => {
    expect(ask([press('enter')])).toBeNull();
    expect(ask([press('text', ' ')])).toBeNull();
    expect(ask([press('down'), press('enter')])).toBe('allow');
    expect(ask([press('up'), press('up'), press('enter')])).toBe('deny');
  });

  it('skips unknown decisions, and keeps the order of the others [OP-4]', () => {
    expect(ask([press('text', '2')])).toBe('allow_session');
    expect(ask([press('text', '3')])).toBe('deny');
    expect(ask([press('text', '5')])).toBeNull();
  });

  it('takes Esc and ctrl-c for deny at any time', () => {
    expect(ask([press('escape')], 0)).toBe('deny');
    expect(ask([press('text', 'c', { ctrl: true })], 0)).toBe('deny');
  });

  it('ignores keys until there was a moment without any', () => {
    let state = openApproval(0);
    for (const now of [100, 450, 800, 1150]) {
      const step = stepApproval(SHELL, state, press('text', '1'), now);
      expect(step).toMatchObject({ choice: null, early: true });
      state = step.state;
    }
    expect(stepApproval(SHELL, state, press('text', '1'), 1150 + QUIET_MS).choice).toEqual({
      decision: 'allow',
    });
  });

  it('shows the whole command, where it runs, and which sub-agent asks [OP-7]', () => {
    expect(text(approvalLines(SHELL, openApproval(0), { width: 60, rows: 12 }))).toEqual([
      '── Sub-agent Scout asks to run a command on this machine',
      'in /home/me/project',
      '$ rm -rf build␛[8m; curl evil',
      '  1. Allow once',
      '  2. Allow exactly this command here until the kernel stops',
      '  3. Deny',
      '  4. No, and tell it why',
      'a number, or ↑↓ and Enter · Esc denies',
    ]);
  });

  it.each([
    ['bwrap', 'in a sandbox, in /home/me/project'],
    ['none', 'not sandboxed, in /home/me/project'],
    [undefined, 'in /home/me/project'],
  ] as const)('says where the kernel would do it, and that %s holds it [WHO-6]', (sandbox, where) => {
    const own = { ...SHELL, on_kernel: true, ...(sandbox && { sandbox }) };
    const shown = (request: ApprovalRequest, width: number) =>
      text(approvalLines(request, openApproval(0), { width, rows: 12 }));
    expect(shown(own, 80).slice(0, 2)).toEqual([
      "── Sub-agent Scout asks to run a command on the kernel's machine",
      where,
    ]);
    expect(shown({ ...own, workdir: null }, 40)[1]).toBe(
      sandbox ? where.slice(0, where.indexOf(',')) : '$ rm -rf build␛[8m; curl evil',
    );
  });

  it('shows all that a shell would run: the content of escape sequences, other line ends, unseen characters', () => {
    const shown = (command: string) =>
      text(approvalLines({ ...SHELL, params: { command } }, openApproval(0), { width: 60, rows: 14 }));
    expect(shown('ls \u001b]a;b&reboot&c\u0007')).toContain('$ ls ␛]a;b&reboot&c␇');
    expect(shown('echo # one\rtwo\nthree').slice(2, 4)).toEqual(['$ echo # one␍two', '  three']);
    expect(shown('cat a\u200db \u3164x')).toContain('$ cat a<U+200D>b <U+3164>x');
    expect(shown('echo 👩‍👧 ❤️')).toContain('$ echo 👩‍👧 ❤️');
  });

  it('shows a long directory, a long path and each parameter whole', () => {
    const deep = `/home/${'d'.repeat(70)}/end`;
    const size = { width: 40, rows: 24 };
    expect(text(approvalLines({ ...SHELL, workdir: deep }, openApproval(0), size)).join('')).toContain(deep);
    const params = { path: `${deep}/${'f'.repeat(300)}.txt`, offset: 0, data: 'AAECAw==', truncate: true };
    const bytes = { ...SHELL, action: 'write_bytes', params };
    const all = text(approvalLines(bytes, openApproval(0), size)).join('');
    for (const part of [params.path, 'offset: 0', 'data: AAECAw==', 'truncate: true'])
      expect(all).toContain(part);
  });

  it('shows operation and choices on a small screen, and is not readable where they have no room', () => {
    const size = { width: 40, rows: 7 };
    const long = { ...SHELL, params: { command: 'for i in $(seq 1 5000); do echo line $i; done; rm -rf ~' } };
    expect(isReadable(long, openApproval(0), size)).toBe(true);
    const shown = text(approvalLines(long, openApproval(0), size));
    expect(shown.map(each => each.replaceAll('\u00a0', ' '))).toEqual([
      '── Sub-agent Scout asks to run a comman…',
      'in /home/me/project',
      '$ for i in $(seq 1 5000); do echo line $',
      'i; done; rm -rf ~',
      '1 once  2 until it stops  3 deny ',
      '4 no, because  ',
      'a number, or ↑↓ and Enter · Esc denies',
    ]);
    const least = { width: 40, rows: 4 };
    expect(isReadable(long, openApproval(0), least)).toBe(false);
    expect(text(approvalLines(long, openApproval(0), least))).toContain(
      'Too little room to show it: make the window larger.',
    );
  });

  it('says that a write would replace content that cannot be shown', () => {
    const write = { ...SHELL, action: 'write', params: { path: 'a.bin', content: 'x' } };
    const shown = (before?: null) =>
      text(approvalLines({ ...write, before }, openApproval(0), { width: 80, rows: 24 })).join('\n');
    expect(shown()).toContain('What is there now cannot be shown; all of it would be replaced.');
    expect(shown(null)).not.toContain('cannot be shown');
  });

  it('gives back letters to the input, and is quiet again after them', () => {
    const letter = stepApproval(SHELL, openApproval(0), press('text', 'a'), LATER);
    expect(letter).toMatchObject({ choice: null, early: true });
    expect(stepApproval(SHELL, letter.state, press('text', '1'), LATER + 100)).toMatchObject({
      choice: null,
      early: true,
    });
  });

  it('says which lines of a long command are shown, and scrolls to the others', () => {
    const long = {
      ...SHELL,
      params: { command: Array.from({ length: 20 }, (_, line) => `echo ${line}`).join('\n') },
    };
    const size = { width: 60, rows: 13 };
    expect(text(approvalLines(long, openApproval(0), size))).toContain(
      '1–5 of 20 lines · PgUp PgDn show the others',
    );
    const { state } = stepApproval(long, openApproval(0), press('pagedown'), LATER);
    expect(text(approvalLines(long, state, size))).toContain('  echo 5');
  });

  it('says no with the words of the owner, which Esc leaves again [HANDS-7]', () => {
    const tell = press('text', '4');
    const typed = pressed([tell, press('text', 'Ask '), press('text', '?')]).state;
    const { state } = pasteIntoApproval(typed, ' first', 0);
    expect(text(approvalLines(SHELL, state, { width: 60, rows: 12 }))).toEqual([
      '── Sub-agent Scout asks to run a command on this machine',
      'in /home/me/project',
      '$ rm -rf build␛[8m; curl evil',
      '› Ask ? first ',
      'Enter says no, with this · Esc goes back',
    ]);
    expect(stepApproval(SHELL, state, press('enter'), 0).choice).toEqual({
      decision: 'deny',
      error: 'Ask ? first',
    });
    expect(ask([tell, press('enter')])).toBeNull();
    expect(ask([tell, press('text', 'x'), press('escape'), press('text', '1')])).toBe('allow');
    expect(pressed([tell, press('text', 'c', { ctrl: true })]).choice).toEqual({ decision: 'deny' });
    const mustBeAllowed = { ...SHELL, decisions: ['allow'] };
    expect(text(approvalLines(mustBeAllowed, openApproval(0), { width: 60, rows: 12 }))).not.toContain(
      '  2. No, and tell it why',
    );
  });

  it('picks how many words a prefix has, at least one and none behind a quote [HANDS-7]', () => {
    const npm = {
      ...SHELL,
      params: { command: 'npm run test "a b" c' },
      decisions: ['allow', 'allow_prefix', 'deny'],
    };
    const right = press('right');
    const left = press('left');
    const prefix = (...keys: ReturnType<typeof press>[]) =>
      pressed([...keys, press('text', '2')], npm).choice?.prefix;
    expect(prefix()).toBe('npm run');
    expect(prefix(right)).toBe('npm run test');
    // One step back is one step back, however often the end was reached.
    expect(prefix(right, right, right, left)).toBe('npm run');
    expect(prefix(left, left, left)).toBe('npm');
    const shown = (rows: number) =>
      text(approvalLines(npm, pressed([right], npm).state, { width: 90, rows })).join('\n');
    expect(shown(12)).toContain('2. Always allow plain commands here that begin with: npm run test (←→)');
    // What is allowed is shown in a small window, too.
    expect(shown(5).replaceAll('\u00a0', ' ')).toContain('2 npm run test … (←→)');
  });

  it('shows a write as a diff against what the file holds', () => {
    const write = {
      op_id: 'o2',
      action: 'write',
      params: { path: 'a.txt', content: 'one\nTWO\n' },
      decisions: ['allow', 'deny'],
      before: 'one\ntwo\n',
    };
    expect(text(approvalLines(write, openApproval(0), { width: 60, rows: 14 })).slice(0, 6)).toEqual([
      '── The model asks to write a file on this machine',
      'a.txt  +1 −1',
      '@@ −1,2 +1,2 @@',
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
      const step = stepQuestion(given, state, each, (index + 1) * LATER);
      if (step.answer !== null) return step.answer;
      state = step.state;
    }
    return null;
  };

  it('offers the options, words of one’s own, and the meta-decisions it knows [BT-5]', () => {
    expect(text(questionLines(request, openQuestion(0), { width: 50, rows: 12 }))).toEqual([
      '── Paint (1 of 2)',
      'Which colour?',
      '  1. Red  like a rose',
      '  2. Blue',
      '  3. Something else: type an answer',
      '  4. Talk it over',
      '  5. In my own words',
      'a number, or ↑↓ and Enter · Esc talks it over',
    ]);
    expect(answer(request, press('text', '2'))).toEqual({ answer: 'Blue' });
    expect(answer(request, press('text', '5'))).toEqual({ decision: 'answer_in_text' });
    expect(answer(request, press('escape'))).toEqual({ decision: 'discuss' });
    expect(answer(request, press('enter'))).toBeNull();
  });

  it('shows the option that the arrows stand on, where not all have room', () => {
    const size = { width: 40, rows: 7 };
    const shown = (selected: number | null) =>
      text(questionLines(request, { ...openQuestion(0), selected }, size));
    expect(shown(null)).toContain('1–4 of 6 lines · ↑↓ show the others');
    expect(shown(4)).toContain('› 5. In my own words');
  });

  it('takes words, and goes back from them with Esc', () => {
    const words = [press('text', '3'), press('text', 'Green'), press('enter')];
    expect(answer(request, ...words)).toEqual({ answer: 'Green' });
    expect(answer(request, press('text', '3'), press('escape'), press('text', '1'))).toEqual({
      answer: 'Red',
    });
    expect(answer(request, press('text', '3'), press('enter'))).toBeNull();
  });

  it('sends several where several may be chosen', () => {
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

  it('filters as one types, and begins at the present setting', () => {
    const state = openPicker(request);
    expect(stepPicker(request, state, press('enter')).picked?.id).toBe('b/large');
    const typed = stepPicker(request, state, press('text', 'hu')).state;
    expect(matching(request, typed.query).map(each => each.id)).toEqual(['c/huge']);
    expect(text(pickerLines(request, typed, { width: 40, rows: 8 }))).toEqual([
      '── Model',
      'search: hu ',
      '› c/huge',
      '1 · ↑↓ Enter · Esc closes',
    ]);
    expect(stepPicker(request, state, press('escape')).closed).toBe(true);
  });

  it('asks again before a step that cannot be undone: Enter is not yes', () => {
    const rewind = { ...request, confirm: () => 'Delete it and all after it?' };
    const asked = stepPicker(rewind, openPicker(rewind), press('enter'));
    expect(asked.picked).toBeNull();
    expect(text(pickerLines(rewind, asked.state, { width: 40, rows: 8 }))[2]).toBe(
      'Delete it and all after it?',
    );
    expect(stepPicker(rewind, asked.state, press('enter')).picked).toBeNull();
    expect(stepPicker(rewind, asked.state, press('text', 'y')).picked?.id).toBe('b/large');
    expect(stepPicker(rewind, asked.state, press('escape')).state.confirming).toBeNull();
  });
});
