/** A chat: its conversation, what its turn does now, and the place to write. */
import type { Item } from '@chat-kernel/client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from '../base/store.ts';
import { sentenceOf } from '../base/words.ts';
import { Attachments } from '../composer/attachments.ts';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import { Empty } from '../parts/empty.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { type ChatDialog, ChatDialogs } from './chat-dialogs.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Dock } from './dock.tsx';
import { DropArea } from './drop-area.tsx';
import { TurnStatus } from './turn-status.tsx';
import { useChatRecord } from './use-chat-record.ts';
import { useHashTarget } from './use-hash-target.ts';
import { useOpenChat } from './use-open-chat.ts';

export function ChatPage({ id }: { id: string }) {
  const kernel = useKernel();
  const { client, notices } = kernel;
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
  const olderFailed = (error: unknown) => notices.fail(error);
  if (snapshot.failure) return <Gone failure={snapshot.failure} />;
  return (
    <DropArea attachments={attachments}>
      <ChatHeader chat={record} usage={snapshot.turn?.usage ?? null} onOpen={setDialog} />
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
      <Dock
        chat={record}
        open={open}
        draft={draft}
        attachments={attachments}
        isBusy={snapshot.busy}
        plan={snapshot.plan}
        onOpen={setDialog}
      />
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
