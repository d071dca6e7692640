/** A chat: its conversation, what its turn does now, and the place to write. */
import type { Item } from '@chat-kernel/client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useStore } from '../base/store.ts';
import { sentenceOf } from '../base/words.ts';
import type { Attached } from '../composer/attachments.ts';
import { Attachments, fieldsOf } from '../composer/attachments.ts';
import { Choices, type TurnChoices } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import { Empty } from '../parts/empty.tsx';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { type ChatDialog, ChatDialogs } from './chat-dialogs.tsx';
import { ChatHeader } from './chat-header.tsx';
import { commandsOf } from './commands.ts';
import { DropArea } from './drop-area.tsx';
import { machineOf, setMachine } from './machine.ts';
import { PlanPanel } from './plan-panel.tsx';
import { TurnStatus } from './turn-status.tsx';
import { useChatRecord } from './use-chat-record.ts';
import { useHashTarget } from './use-hash-target.ts';
import { useOpenChat } from './use-open-chat.ts';

export function ChatPage({ id }: { id: string }) {
  const kernel = useKernel();
  const { client, chats, notices } = kernel;
  const [, go] = useLocation();
  const { chat: open, snapshot, rows } = useOpenChat(kernel, id);
  const record = useChatRecord(kernel, id);
  const outgoing = useStore(open.outgoing);
  const [dialog, setDialog] = useState<ChatDialog | null>(null);
  const draft = useMemo(() => new Draft(id), [id]);
  const attachments = useMemo(() => new Attachments(kernel), [kernel]);
  const target = useHashTarget(id, snapshot, open);
  useEffect(() => {
    document.title = record?.title ? `${record.title} · Chat Kernel` : 'Chat Kernel';
  }, [record?.title]);
  const changedAt = record?.updated_at;
  useEffect(() => {
    // A fold or a rewind, also of another device, is no event of a turn.
    if (changedAt !== undefined) void open.view.refresh();
  }, [open, changedAt]);
  const takeBack = useCallback(
    async (messageId: string) => {
      const item = open.view
        .getSnapshot()
        .items.find(each => each.kind === 'user_message' && each.message_id === messageId);
      await client.rewind(id, messageId);
      if (item?.kind === 'user_message') draft.restore(item.text);
      await open.view.refresh();
    },
    [client, id, open, draft],
  );
  const actions = useMemo(
    () => ({
      onFork: (item: Item) => setDialog({ kind: 'fork', item }),
      onRewind: (item: Item) => setDialog({ kind: 'rewind', item }),
      onTakeBack: (messageId: string) => void takeBack(messageId).catch(notices.fail),
    }),
    [takeBack, notices],
  );
  const send = (text: string, files: readonly Attached[]) => {
    const machine = record && machineOf(record) === 'none' ? { machine: 'none' as const } : {};
    open.send({ text, questions: true, ...machine, ...fieldsOf(files) }).catch(error => {
      notices.fail(error);
      draft.restore(text);
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
  const olderFailed = (error: unknown) => notices.fail(error);
  if (snapshot.failure) return <Gone failure={snapshot.failure} />;
  return (
    <DropArea attachments={attachments}>
      <ChatHeader chat={record} snapshot={snapshot} onOpen={setDialog} />
      <Transcript
        key={id}
        rows={rows}
        outgoing={outgoing}
        hasOlder={snapshot.has_older}
        isLoadingOlder={snapshot.loading_older}
        onOlder={() => void open.view.loadOlder().catch(olderFailed)}
        target={target}
        actions={actions}
      >
        {snapshot.loaded && rows.length + outgoing.length === 0 ? (
          <Empty title="Nothing was said here yet.">
            <p>Write the first message below. Files can be dropped anywhere on this page.</p>
          </Empty>
        ) : null}
        <TurnStatus snapshot={snapshot} />
      </Transcript>
      <div className="dock">
        <PlanPanel
          tasks={snapshot.plan}
          isBusy={snapshot.busy}
          onErase={() => void client.erasePlan(id).then(() => open.view.refresh(), notices.fail)}
        />
        <RequestDialogs chatId={id} />
        <Composer
          draft={draft}
          attachments={attachments}
          isBusy={snapshot.busy}
          commands={commandsOf({ kernel, id, open: setDialog, stop, go })}
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
      {dialog && record ? (
        <ChatDialogs
          dialog={dialog}
          chat={record}
          items={snapshot.items}
          view={open.view}
          draft={draft}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </DropArea>
  );
}

function Gone({ failure }: { failure: Error }) {
  return (
    <Empty title="This chat cannot be shown.">
      <p>{sentenceOf(failure)}</p>
    </Empty>
  );
}
