/** The area below a conversation: plan, open requests and composer. It does not render again while the model writes. */
import type { Chat, PlanTask } from '@chat-kernel/client';
import { memo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useStore } from '../base/store.ts';
import { type Attachment, type Attachments, toTurnFields } from '../composer/attachments.ts';
import { Choices, parseHandsName, type TurnChoices } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { Tasks } from '../items/small-items.tsx';
import { useKernel } from '../kernel/context.ts';
import type { OpenChat } from '../kernel/open-chat.ts';
import { usePageCommands } from '../nav/page-commands.ts';
import { StatusBar } from '../nav/status-bar.tsx';
import { Button } from '../parts/button.tsx';
import { Meter } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import { canEdit } from '../transcript/retries.ts';
import type { ChatAction } from './chat-dialogs.tsx';
import { buildCommands, choiceCommands, expandSkill, toPageCommands } from './commands.ts';
import { Directory } from './directory.tsx';
import { findMachine, setDirectory, setMachine } from './machine.ts';

interface DockProps {
  /** Null until it is loaded. */
  chat: Chat | null;
  open: OpenChat;
  draft: Draft;
  attachments: Attachments;
  isBusy: boolean;
  plan: readonly PlanTask[];
  onOpen(action: ChatAction): void;
}

export const Dock = memo(function Dock({
  chat: record,
  open,
  draft,
  attachments,
  isBusy,
  plan,
  onOpen,
}: DockProps) {
  const kernel = useKernel();
  const { client, notices } = kernel;
  const [, go] = useLocation();
  const { id } = open;
  // A turn may have found skills in a working directory for the first time.
  const { value: known } = useLoaded(() => client.listSkills({ chat_id: id }), `${id} ${isBusy}`);
  const skills = known?.skills ?? [];
  const settings = useSettings(record);
  const send = (input: string, files: readonly Attachment[]) => {
    const text = expandSkill(input, skills);
    const machine = record && findMachine(record) === 'none' ? { machine: 'none' as const } : {};
    settings
      .settled()
      .then(() =>
        open.send({
          text,
          ...machine,
          ...toTurnFields(files),
        }),
      )
      .catch(error => {
        notices.fail(error);
        draft.restore(input);
        attachments.restore(files);
      });
  };
  const models = useStore(kernel.models);
  const stop = () =>
    void open.stop().then(text => {
      if (text) draft.restore(text);
    }, notices.fail);
  const lastMessage = () => open.view.getSnapshot().items.findLast(({ kind }) => kind === 'user_message');
  const editLast = () => {
    const item = open.view.getSnapshot().items.findLast(canEdit);
    if (item) onOpen({ kind: 'edit', item });
  };
  const commands = buildCommands({
    kernel,
    id,
    open: onOpen,
    stop,
    go,
    skills,
    send: text => send(text, []),
    lastMessage,
  });
  usePageCommands([...toPageCommands(commands), ...choiceCommands(models, settings.change)]);
  const standsBy = record !== null && parseHandsName(findMachine(record)) !== null;
  return (
    <div className="dock">
      <StatusBar chatId={id} />
      <PlanPanel
        tasks={plan}
        isBusy={isBusy}
        onErase={() => void client.erasePlan(id).then(() => open.view.refresh(), notices.fail)}
      />
      <RequestDialogs chatId={id} />
      {standsBy && (settings.isPlacing || record.workdir === null) ? (
        <ChatDirectory key={`${id} ${record.hands} ${record.workdir}`} chat={record} onSet={settings.place} />
      ) : null}
      <Composer
        draft={draft}
        attachments={attachments}
        isBusy={isBusy}
        commands={commands}
        onSend={send}
        onStop={stop}
        onEditLast={isBusy ? undefined : editLast}
      >
        {record ? (
          <Choices
            choices={{ model: record.model, effort: record.effort, machine: findMachine(record) }}
            onChange={settings.change}
          />
        ) : null}
      </Composer>
    </div>
  );
});

interface ChatDirectoryProps {
  chat: Chat;
  onSet(directory: string): void;
}

/** Asks for the working directory when a connected machine is selected: edits can only be allowed below a directory. */
function ChatDirectory({ chat, onSet }: ChatDirectoryProps) {
  const before = chat.workdir ?? '';
  const [directory, setDirectory] = useState(before);
  return (
    <Directory
      machine={findMachine(chat)}
      value={directory}
      onChange={setDirectory}
      onDone={() => {
        if (directory.trim() !== before) onSet(directory);
      }}
    />
  );
}

interface PlanPanelProps {
  tasks: readonly PlanTask[];
  isBusy: boolean;
  onErase(): void;
}

/** The plan of the chat, collapsed to the current task. */
function PlanPanel({ tasks, isBusy, onErase }: PlanPanelProps) {
  const done = tasks.filter(({ status }) => status === 'completed').length;
  // The conversation already shows finished plans.
  if (tasks.length === 0 || (done === tasks.length && !isBusy)) return null;
  const now =
    tasks.find(({ status }) => status === 'in_progress') ?? tasks.find(({ status }) => status === 'pending');
  return (
    <details className="plan">
      <summary>
        <strong>Plan</strong>
        <span className="gist">{now?.title ?? 'All done'}</span>
        <span className="count">
          {done}/{tasks.length}
        </span>
        <Meter share={done / tasks.length} label={`${done} of ${tasks.length} tasks done`} />
      </summary>
      <Tasks tasks={tasks} />
      <Button label="Clear plan" className="quiet" onClick={onErase} />
    </details>
  );
}

interface Settings {
  change(what: Partial<TurnChoices>): void;
  place(directory: string): void;
  /** True after a connected machine was selected: the page then asks for its directory. */
  isPlacing: boolean;
  /** Resolves when earlier changes are stored. Rejects if the kernel rejects them. */
  settled(): Promise<unknown>;
}

/**
 * Changes the settings for the next turn of a chat. Sending a message waits until pending changes are stored.
 * @param chat null until it is loaded
 */
function useSettings(chat: Chat | null): Settings {
  const { client, chats, notices } = useKernel();
  const [isPlacing, setPlacing] = useState(false);
  const last = useRef<Promise<unknown>>(SETTLED);
  const follow = (before: Chat, changed: Promise<Chat>) => {
    last.current = changed;
    const answer = changed.catch(error => {
      if (last.current === changed) last.current = SETTLED;
      notices.fail(error);
      return before;
    });
    void chats.takeAnswer(answer);
  };
  return {
    change({ machine, ...settings }) {
      if (!chat) return;
      if (machine !== undefined) setPlacing(parseHandsName(machine) !== null);
      // Optimistic: reverted if the kernel rejects the change.
      chats.take({ ...chat, ...settings });
      follow(
        chat,
        machine === undefined ? client.patchChat(chat.id, settings) : setMachine(client, chat, machine),
      );
    },
    place(directory) {
      if (!chat) return;
      setPlacing(false);
      follow(chat, setDirectory(client, chat, directory));
    },
    isPlacing,
    settled: () => last.current,
  };
}

const SETTLED = Promise.resolve();
