/** What stands below a conversation: the plan, what waits for an answer, the place to write. It is not drawn with each word of the model. */
import type { Chat, PlanTask } from '@chat-kernel/client';
import { memo } from 'react';
import { useLocation } from 'wouter';
import { type Attached, type Attachments, fieldsOf } from '../composer/attachments.ts';
import { Choices, type TurnChoices } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import type { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import type { OpenChat } from '../kernel/open-chat.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import type { ChatDialog } from './chat-dialogs.tsx';
import { commandsOf, spokenOf } from './commands.ts';
import { machineOf, setMachine } from './machine.ts';
import { PlanPanel } from './plan-panel.tsx';

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
  const { client, chats, notices } = kernel;
  const [, go] = useLocation();
  const { id } = open;
  // A turn may have seen skills of a working directory for the first time.
  const { value: known } = useLoaded(() => client.listSkills({ chat_id: id }), `${id} ${isBusy}`);
  const skills = known?.skills ?? [];
  const send = (written: string, files: readonly Attached[]) => {
    const text = spokenOf(written, skills);
    const machine = record && machineOf(record) === 'none' ? { machine: 'none' as const } : {};
    open.send({ text, questions: true, ...machine, ...fieldsOf(files) }).catch(error => {
      notices.fail(error);
      draft.restore(written);
      attachments.restore(files);
    });
  };
  const stop = () => void client.cancelTurn(id).catch(notices.fail);
  const change = (what: Partial<TurnChoices>) => {
    if (!record) return;
    const { machine, ...settings } = what;
    const changed =
      machine === undefined ? client.patchChat(id, settings) : setMachine(client, record, machine);
    // It shows at once, and is taken back where the kernel does not take it.
    chats.take({ ...record, ...settings });
    changed.then(
      chat => chats.take(chat),
      error => {
        chats.take(record);
        notices.fail(error);
      },
    );
  };
  return (
    <div className="dock">
      <PlanPanel
        tasks={plan}
        isBusy={isBusy}
        onErase={() => void client.erasePlan(id).then(() => open.view.refresh(), notices.fail)}
      />
      <RequestDialogs chatId={id} />
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
            onChange={change}
          />
        ) : null}
      </Composer>
    </div>
  );
});
