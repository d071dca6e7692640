/** What stands below a conversation: the plan, what waits for an answer, the place to write. It is not drawn with each word of the model. */
import type { Chat, PlanTask } from '@chat-kernel/client';
import { memo } from 'react';
import { useLocation } from 'wouter';
import { type Attached, type Attachments, fieldsOf } from '../composer/attachments.ts';
import { Choices, handsOf } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import type { OpenChat } from '../kernel/open-chat.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import type { ChatDialog } from './chat-dialogs.tsx';
import { ChatDirectory } from './chat-directory.tsx';
import { commandsOf, spokenOf } from './commands.ts';
import { machineOf } from './machine.ts';
import { PlanPanel } from './plan-panel.tsx';
import { useSettings } from './use-settings.ts';

interface DockProps {
  /** Null until it is known. */
  chat: Chat | null;
  open: OpenChat;
  draft: Draft;
  attachments: Attachments;
  isBusy: boolean;
  plan: readonly PlanTask[];
  onOpen(dialog: ChatDialog): void;
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
  // A turn may have seen skills of a working directory for the first time.
  const { value: known } = useLoaded(() => client.listSkills({ chat_id: id }), `${id} ${isBusy}`);
  const skills = known?.skills ?? [];
  const settings = useSettings(record);
  const send = (written: string, files: readonly Attached[]) => {
    const text = spokenOf(written, skills);
    const machine = record && machineOf(record) === 'none' ? { machine: 'none' as const } : {};
    settings
      .settled()
      .then(() => open.send({ text, questions: true, ...machine, ...fieldsOf(files) }))
      .catch(error => {
        notices.fail(error);
        draft.restore(written);
        attachments.restore(files);
      });
  };
  const stop = () => void client.cancelTurn(id).catch(notices.fail);
  const standsBy = record !== null && handsOf(machineOf(record)) !== null;
  return (
    <div className="dock">
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
        commands={commandsOf({ kernel, id, open: onOpen, stop, go, skills, send: text => send(text, []) })}
        onSend={send}
        onStop={stop}
      >
        {record ? (
          <Choices
            choices={{ model: record.model, effort: record.effort, machine: machineOf(record) }}
            onChange={settings.change}
          />
        ) : null}
      </Composer>
    </div>
  );
});
