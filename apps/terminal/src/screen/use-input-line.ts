/** Handles the keys of the input: editing, completion, and the callbacks of the app. */
import { useInput, usePaste } from 'ink';
import { useEffect, useRef, useState } from 'react';
import { attach, replaceRange, type as typed } from '../editor/change.ts';
import {
  accept,
  type Command,
  type Completing,
  type CompletionChoice,
  chatChoices,
  commandChoices,
  completingAt,
  fileChoices,
  type NamedChat,
} from '../editor/completion.ts';
import { paste } from '../editor/paste.ts';
import { type Press, parsePresses } from '../editor/press.ts';
import { type EditorAction, type OwnerAction, reduceEditor } from '../editor/reduce-editor.ts';
import { type Chip, type EditorState, type Submission, submission, submitted } from '../editor/state.ts';
import type { CompletionMenu } from './compose.ts';

export interface InputProps {
  editor: EditorState;
  onEdit: (change: (state: EditorState) => EditorState) => void;
  /** Called with the submission, which is never empty. The input is already cleared. */
  onSubmit: (sent: Submission) => void;
  onEscape: () => void;
  onInterrupt: () => void;
  onExit: () => void;
  /** Called with a submission to send after the current step of the turn. */
  onSteer: (sent: Submission) => void;
  onAction: (action: OwnerAction) => void;
  onExpand: () => void;
  onRedraw: () => void;
  /** Returns the image in the clipboard, or null. */
  onPasteImage: () => Promise<Chip | null>;
  /** Returns the image at a pasted path, or null if it can't be read. The path is then inserted as text. */
  onPath: (path: string) => Promise<Chip | null>;
  commands: readonly Command[];
  /** Returns paths that start with, or contain, the text after an @. Directories end in a slash. */
  completeFile: (query: string) => Promise<readonly string[]>;
  /** Returns chats whose titles contain the text after an @. */
  completeChat: (query: string) => Promise<readonly NamedChat[]>;
  /** Moves the last queued message to the empty input. Returns false if none is queued. */
  onTakeBack: () => boolean;
}

/** Results for the query of an @. */
interface Found {
  readonly query: string;
  readonly paths: readonly string[];
  readonly chats: readonly NamedChat[];
}

/** @param active false while a dialog has the keys @returns the menu of completions, or null */
export function useInputLine(props: InputProps, width: number, active: boolean): CompletionMenu | null {
  const [found, setFound] = useState<Found | null>(null);
  const [selected, setSelected] = useState(0);
  /** Position and query of the menu that Esc closed. */
  const [closed, setClosed] = useState<string | null>(null);
  // Several keys of one chunk arrive before React renders again.
  const latest = useRef(props.editor);
  latest.current = props.editor;

  const completing = active ? completingAt(props.editor) : null;
  const position = completing === null ? null : `${completing.from} ${completing.query}`;
  const query = completing?.kind === 'file' ? completing.query : null;
  // A command line completes only paths.
  const names = query === null || props.editor.text.startsWith('/') || query.includes('/') ? 'files' : 'both';
  const { completeFile, completeChat } = props;
  useEffect(() => {
    setSelected(0);
    if (query === null || position === null) return;
    let wanted = true;
    const take = (more: Partial<Found>) =>
      wanted &&
      setFound(before => ({
        ...(before?.query === query ? before : { paths: [], chats: [] }),
        ...more,
        query,
      }));
    // An unreadable directory or an unreachable kernel has no completions.
    completeFile(query).then(
      paths => take({ paths }),
      () => take({ paths: [] }),
    );
    if (names === 'files') take({ chats: [] });
    else
      completeChat(query).then(
        chats => take({ chats }),
        () => take({ chats: [] }),
      );
    return () => {
      wanted = false;
    };
  }, [query, position, names, completeFile, completeChat]);
  const choices = closed === position ? [] : choicesFor(completing, props.commands, found);

  const edit = (change: (state: EditorState) => EditorState) => {
    latest.current = change(latest.current);
    props.onEdit(change);
  };
  const insert = (chip: Chip | null, otherwise: string) =>
    edit(state => (chip === null ? typed(state, otherwise) : attach(state, chip)));

  function send(to = props.onSubmit): void {
    const sent = submission(latest.current);
    if (sent.text === '' && sent.attachments.length === 0) return;
    edit(submitted);
    to(sent);
  }

  function inMenu(each: Press): boolean {
    const choice = choices[selected];
    if (completing === null || choice === undefined || latest.current !== props.editor) return false;
    if (each.name === 'up' || each.name === 'down') {
      setSelected((selected + (each.name === 'up' ? -1 : 1) + choices.length) % choices.length);
      return true;
    }
    if (each.name === 'escape') {
      setClosed(position);
      return true;
    }
    if ((each.name !== 'tab' && each.name !== 'enter') || each.shift) return false;
    const whole = props.editor.text.slice(completing.from, completing.to) === choice.insert.trimEnd();
    // Run a complete command, even if it could take an argument.
    if (each.name === 'enter' && whole && completing.kind === 'command') send();
    else {
      edit(state => accept(state, completing, choice));
      if (each.name === 'enter' && choice.sends) send();
    }
    return true;
  }

  function take(each: Press): void {
    if (inMenu(each)) return;
    if (each.name === 'up' && latest.current.text === '' && props.onTakeBack()) return;
    const { state, action } = reduceEditor(latest.current, each, width);
    if (state !== latest.current) edit(before => reduceEditor(before, each, width).state);
    if (action !== null) handlers[action]();
  }

  const handlers: Record<EditorAction, () => void> = {
    submit: () => send(),
    steer: () => send(props.onSteer),
    help: () => props.onAction('help'),
    mode: () => props.onAction('mode'),
    history: () => props.onAction('history'),
    editor: () => props.onAction('editor'),
    suspend: () => props.onAction('suspend'),
    escape: props.onEscape,
    interrupt: props.onInterrupt,
    exit: props.onExit,
    expand: props.onExpand,
    redraw: props.onRedraw,
    paste_image: () => void props.onPasteImage().then(chip => chip && insert(chip, '')),
  };

  useInput(
    (input, key) => {
      for (const each of parsePresses(input, key)) take(each);
    },
    { isActive: active },
  );
  usePaste(
    text => {
      const { path } = paste(latest.current, text);
      if (path === null) edit(state => paste(state, text).state);
      else void props.onPath(path).then(chip => insert(chip, text));
    },
    { isActive: active },
  );
  return choices.length === 0 ? null : { choices, selected: Math.min(selected, choices.length - 1) };
}

function choicesFor(
  completing: Completing | null,
  commands: readonly Command[],
  found: Found | null,
): CompletionChoice[] {
  if (completing === null) return [];
  if (completing.kind === 'command') return commandChoices(commands, completing.query);
  if (found?.query !== completing.query) return [];
  return [...fileChoices(found.paths), ...chatChoices(found.chats)];
}

/** Adds a key that was typed while a dialog appeared to the input. */
export function typedEarly(state: EditorState, press: Press, width: number): EditorState {
  if (press.name === 'enter' || press.name === 'newline')
    return replaceRange(state, state.cursor, state.cursor, '\n');
  return reduceEditor(state, press, width).state;
}
