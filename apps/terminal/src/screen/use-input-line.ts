/** The keys of the input: editing, completion, and the callbacks of the app. */
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
import { type Press, pressesOf } from '../editor/press.ts';
import { type Chip, type EditorState, type Submission, submission, submitted } from '../editor/state.ts';
import { type EditorAction, type OwnerAction, stepEditor } from '../editor/step.ts';
import type { CompletionMenu } from './compose.ts';

export interface InputProps {
  editor: EditorState;
  onEdit: (change: (state: EditorState) => EditorState) => void;
  /** Called with what is sent, which is never empty. The input is empty by then. */
  onSubmit: (sent: Submission) => void;
  onEscape: () => void;
  onInterrupt: () => void;
  onExit: () => void;
  /** Called with what is to go in after the present step of the turn. */
  onSteer: (sent: Submission) => void;
  onAction: (action: OwnerAction) => void;
  onExpand: () => void;
  onRedraw: () => void;
  /** Returns the image of the clipboard, or null where there is none. */
  onPasteImage: () => Promise<Chip | null>;
  /** Returns the image at a path that was pasted, or null where it can't be read: then the path is text. */
  onPath: (path: string) => Promise<Chip | null>;
  commands: readonly Command[];
  /** Returns paths that begin with, or contain, what was typed after an @; directories end in a slash. */
  completeFile: (query: string) => Promise<readonly string[]>;
  /** Returns chats whose titles hold what was typed after an @. */
  completeChat: (query: string) => Promise<readonly NamedChat[]>;
  /** Takes the last message that waits back into the empty input; false where none waits. */
  onTakeBack: () => boolean;
}

/** What was found for the query of an @. */
interface Found {
  readonly query: string;
  readonly paths: readonly string[];
  readonly chats: readonly NamedChat[];
}

/** @param active false while a dialog has the keys @returns the menu of completions, or null */
export function useInputLine(props: InputProps, width: number, active: boolean): CompletionMenu | null {
  const [found, setFound] = useState<Found | null>(null);
  const [selected, setSelected] = useState(0);
  /** The position and the query whose menu was closed by Esc. */
  const [closed, setClosed] = useState<string | null>(null);
  // Several keys of one chunk come before React renders again: they go on from here.
  const latest = useRef(props.editor);
  latest.current = props.editor;

  const completing = active ? completingAt(props.editor) : null;
  const position = completing === null ? null : `${completing.from} ${completing.query}`;
  const query = completing?.kind === 'file' ? completing.query : null;
  // A line that is a command takes paths alone.
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
    // A directory that cannot be read offers nothing, and neither does a kernel that is gone.
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
    // A command that is typed out is sent, even if it could take an argument.
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
    const { state, action } = stepEditor(latest.current, each, width);
    if (state !== latest.current) edit(before => stepEditor(before, each, width).state);
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
      for (const each of pressesOf(input, key)) take(each);
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

/** Puts a key that was typed while a dialog appeared into the input. */
export function typedEarly(state: EditorState, press: Press, width: number): EditorState {
  if (press.name === 'enter' || press.name === 'newline')
    return replaceRange(state, state.cursor, state.cursor, '\n');
  return stepEditor(state, press, width).state;
}
