/** The message box. Enter sends, Shift+Enter starts a new line, and Esc never deletes text. */
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { MESSAGE_ID } from '../base/focus-message.ts';
import { isPressed } from '../base/shortcuts.ts';
import { useStore } from '../base/store.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Attachment, Attachments } from './attachments.ts';
import { type Command, CommandMenu, matching } from './command-menu.tsx';
import type { Draft } from './draft.ts';
import { RecordButton } from './record-button.tsx';

interface ComposerProps {
  draft: Draft;
  attachments: Attachments;
  isBusy: boolean;
  commands: readonly Command[];
  onSend(text: string, files: readonly Attachment[]): void;
  onStop(): void;
  /** Absent while there is no message to edit. */
  onEditLast?: (() => void) | undefined;
  /** Selectors for the next turn. */
  children: ReactNode;
}

/** Touch keyboards have no Shift+Enter, so Enter starts a new line there. */
const isTouched = matchMedia('(pointer: coarse)');

export function Composer({
  draft,
  attachments,
  isBusy,
  commands,
  onSend,
  onStop,
  onEditLast,
  children,
}: ComposerProps) {
  const text = useStore(draft.text);
  const files = useStore(attachments.list);
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState(0);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  useEffect(() => {
    if (!isTouched.matches) area.current?.focus();
    window.addEventListener('pagehide', draft.keep);
    return () => {
      draft.keep();
      window.removeEventListener('pagehide', draft.keep);
    };
  }, [draft]);
  const found = closedAt === text ? [] : matching(commands, text);
  const isWaiting = files.some(({ progress, error }) => progress < 1 && !error);
  const canSend = (text.trim() !== '' || files.some(({ error }) => !error)) && !isWaiting;
  const send = () => {
    if (!canSend) return;
    draft.write('');
    draft.keep();
    attachments.clear();
    onSend(
      text,
      files.filter(({ error }) => !error),
    );
  };
  const hear = (words: string) => {
    const before = draft.text.get().trimEnd();
    draft.write(before === '' ? words : `${before} ${words}`);
    area.current?.focus();
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    draft.write('');
    draft.keep();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (found.length > 0) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        setPicked((picked + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length);
        return;
      }
      if (event.key === 'Escape') {
        // The same key would answer a request.
        event.preventDefault();
        return setClosedAt(text);
      }
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault();
        return run(found[picked] ?? found[0]);
      }
    }
    if (isPressed(event, 'editLast') && text === '' && onEditLast) {
      event.preventDefault();
      return onEditLast();
    }
    if (isPressed(event, 'sendNow') || (isPressed(event, 'send') && !isTouched.matches)) {
      event.preventDefault();
      send();
    }
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attachments.add(event.clipboardData.files);
  };
  return (
    <form
      className="composer"
      onSubmit={event => {
        event.preventDefault();
        send();
      }}
    >
      <CommandMenu commands={found} picked={picked} onRun={run} />
      <AttachmentList list={files} attachments={attachments} />
      <textarea
        ref={area}
        id={MESSAGE_ID}
        aria-label="Message"
        placeholder={
          isBusy
            ? 'Queue another message'
            : commands.length > 0
              ? 'Write a message, or / for commands'
              : 'Write a message'
        }
        rows={1}
        value={text}
        onChange={event => {
          setPicked(0);
          draft.write(event.target.value);
        }}
        onKeyDown={press}
        onPaste={paste}
      />
      <div className="tools">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={event => {
            attachments.add(event.target.files ?? []);
            event.target.value = '';
          }}
        />
        <IconButton label="Attach" icon="clip" title="Attach files" onClick={() => picker.current?.click()} />
        <RecordButton onHeard={hear} />
        {children}
        {isBusy ? (
          <button
            type="button"
            className="round"
            aria-label="Stop"
            title="Stop the response"
            onClick={onStop}
          >
            <Icon name="stop" />
          </button>
        ) : null}
        <button type="submit" className="round primary" aria-label="Send" title="Send" disabled={!canSend}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

/** Attachments of the message, with upload progress. */
function AttachmentList({ list, attachments }: { list: readonly Attachment[]; attachments: Attachments }) {
  if (list.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attachments">
      {list.map(({ key, name, size, progress, error, image }) => (
        <li key={key} className={error ? 'failed' : undefined}>
          {image ? (
            <img src={`data:${image.media_type};base64,${image.data}`} alt="" />
          ) : (
            <Icon name="file" />
          )}
          <span className="name">
            <bdi>{name}</bdi>
            <small>{error ?? sizeForPeople(size)}</small>
          </span>
          {progress < 1 && !error ? <progress value={progress} aria-label={`Uploading ${name}`} /> : null}
          <IconButton label={`Remove ${name}`} icon="close" onClick={() => attachments.remove(key)} />
        </li>
      ))}
    </ul>
  );
}
