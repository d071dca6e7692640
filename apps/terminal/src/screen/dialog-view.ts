/** Ink component of the open dialog: takes keys, draws lines, and calls back. */
import { toSingleLine } from '@chat-kernel/text';
import { useInput, usePaste } from 'ink';
import { type ReactElement, useEffect, useState } from 'react';
import { openApproval, pasteIntoApproval, QUIET_MS, reduceApproval } from '../dialogs/approval.ts';
import { approvalLines, isReadable } from '../dialogs/approval-lines.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import { helpLines } from '../dialogs/help.ts';
import { openPicker, pickerLines, reducePicker } from '../dialogs/picker.ts';
import {
  openQuestion,
  pasteIntoQuestion,
  type QuestionRequest,
  type QuestionState,
  questionLines,
  reduceQuestion,
} from '../dialogs/question.ts';
import type { Command } from '../editor/completion.ts';
import { type Press, parsePresses, press } from '../editor/press.ts';
import type { TerminalCapabilities } from '../text/paint.ts';
import { h, renderLines } from './element.ts';

interface DialogFrame {
  width: number;
  rows: number;
  capabilities: TerminalCapabilities;
  commands: readonly Command[];
  /** Returns milliseconds. */
  clock: () => number;
  /** Called with keys that came too early to be an answer, because they belong to the text being typed. */
  onEarly: (press: Press) => void;
}

/** Shows a dialog of any kind. The key gives each request its own state, with nothing selected. */
export function DialogView({ dialog, frame }: { dialog: Dialog; frame: DialogFrame }): ReactElement {
  switch (dialog.kind) {
    case 'approval':
      return h(ApprovalView, { key: dialog.request.op_id, dialog, frame });
    case 'question':
      return h(QuestionView, { key: `${dialog.request.id}#${dialog.request.index}`, dialog, frame });
    case 'picker':
      return h(PickerView, { key: dialog.request.id, dialog, frame });
    case 'help':
      return h(HelpView, { key: 'help', dialog, frame });
  }
}

interface DialogProps<Kind extends Dialog['kind']> {
  dialog: Extract<Dialog, { kind: Kind }>;
  frame: DialogFrame;
}

function ApprovalView({ dialog, frame }: DialogProps<'approval'>) {
  const { request } = dialog;
  const [state, change] = useNow(() => openApproval(frame.clock()));
  usePresses(each => {
    const step = reduceApproval(request, state(), each, frame.clock());
    change(step.state);
    if (step.early) frame.onEarly(each);
    if (step.choice === null) return;
    if (step.choice.decision !== 'deny' && !isReadable(request, step.state, frame)) return;
    dialog.onChoice(step.choice);
  });
  usePaste(text => {
    const step = pasteIntoApproval(state(), text, frame.clock());
    change(step.state);
    if (step.early) frame.onEarly(press('text', text));
  });
  const counts = useSilence(state().quiet_since, frame.clock);
  return renderLines(approvalLines(request, state(), frame, counts), frame.capabilities);
}

function QuestionView({ dialog, frame }: DialogProps<'question'>) {
  const { request } = dialog;
  const [state, set] = useNow(() => reopened(begun.get(request), frame.clock()));
  const change = (next: QuestionState) => {
    begun.set(request, next);
    set(next);
  };
  usePresses(each => {
    const step = reduceQuestion(dialog.request, state(), each, frame.clock());
    change(step.state);
    if (step.early) frame.onEarly(each);
    if (step.answer !== null) dialog.onAnswer(step.answer);
  });
  usePaste(text => change(pasteIntoQuestion(state(), text)));
  const counts = useSilence(state().quiet_since, frame.clock);
  return renderLines(questionLines(dialog.request, state(), frame, counts), frame.capabilities);
}

/** Unfinished answers, kept while an approval dialog covers the question. */
const begun = new WeakMap<QuestionRequest, QuestionState>();

/** Restarts the time without keys. */
const reopened = (known: QuestionState | undefined, now: number): QuestionState => ({
  ...(known ?? openQuestion(now)),
  quiet_since: now,
});

function PickerView({ dialog, frame }: DialogProps<'picker'>) {
  const [state, change] = useNow(() => openPicker(dialog.request));
  const take = (each: Press) => {
    const before = state();
    const step = reducePicker(dialog.request, before, each);
    change(step.state);
    if (step.state.query !== before.query) dialog.onQuery?.(step.state.query);
    if (step.picked !== null) dialog.onPick(step.picked);
    if (step.closed) dialog.onClose();
  };
  usePresses(take);
  usePaste(text => take(press('text', toSingleLine(text))));
  return renderLines(pickerLines(dialog.request, state(), frame), frame.capabilities);
}

function HelpView({ dialog, frame }: DialogProps<'help'>) {
  const [scrolled, change] = useNow(() => 0);
  usePresses(({ name }) => {
    if (name === 'up' || name === 'down') change(Math.max(0, scrolled() + (name === 'up' ? -1 : 1)));
    else dialog.onClose();
  });
  return renderLines(helpLines(frame.commands, scrolled(), frame), frame.capabilities);
}

/** Whether keys count as answers yet. Redraws the dialog when they start to. @param since milliseconds of the clock */
function useSilence(since: number, clock: () => number): boolean {
  const [looks, look] = useState(0);
  const left = since + QUIET_MS - clock();
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => look(looks + 1), left);
    return () => clearTimeout(timer);
  }, [left, looks]);
  return left <= 0;
}

function usePresses(take: (press: Press) => void): void {
  useInput((input, key) => {
    for (const each of parsePresses(input, key)) take(each);
  });
}

/** State that is current between two keys of one chunk, before React renders again. */
function useNow<State>(open: () => State): [() => State, (next: State) => void] {
  const [held] = useState(() => ({ state: open() }));
  const [, redraw] = useState(0);
  return [
    () => held.state,
    next => {
      if (next === held.state) return;
      held.state = next;
      redraw(count => count + 1);
    },
  ];
}
