/** The page of a chat: conversation, turn status and composer. */
import {
  type Chat,
  type ChatSnapshot,
  type Item,
  KernelApiError,
  type RetryRequest,
} from '@chat-kernel/client';
import { startTransition, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from '../base/store.ts';
import { describeError } from '../base/text.ts';
import { Attachments } from '../composer/attachments.ts';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type OpenChat, openChat } from '../kernel/open-chat.ts';
import { useDisconnected } from '../kernel/use-is-lost.ts';
import { NotFound } from '../nav/not-found.tsx';
import { Empty } from '../parts/empty.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { type Row, Rows } from '../rows/rows.ts';
import { canRetry, editedFields, loadPromptId } from '../transcript/retries.ts';
import { Transcript } from '../transcript/transcript.tsx';
import { type ChatAction, type ChatDialog, ChatDialogs } from './chat-dialogs.tsx';
import { ChatHeader } from './chat-header.tsx';
import { ChatStatus } from './chat-status.tsx';
import { compactNow } from './commands.ts';
import { findLastPrompt } from './context-use.tsx';
import { Dock } from './dock.tsx';
import { DropArea } from './drop-area.tsx';
import { useFind } from './use-find.ts';
import { usePrint } from './use-print.ts';

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
  usePageTitle(record?.title ?? null);
  const turn = record?.turn ?? null;
  useEffect(() => open.view.report(turn), [open, turn]);
  const isSending = outgoing.length > 0;
  /** Until the kernel has answered a retry or a switch. */
  const [isChanging, setChanging] = useState(false);
  const isBusy = snapshot.busy || isSending || isChanging;
  const changedAt = record?.updated_at;
  useEffect(() => {
    // A compaction or a rewind, also from another device, sends no turn event.
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
  const change = useCallback(async (work: () => Promise<unknown>) => {
    setChanging(true);
    try {
      await work();
    } finally {
      setChanging(false);
    }
  }, []);
  const retry = useCallback(
    (item: Item, request: RetryRequest) =>
      change(async () => open.retry(await loadPromptId(item, open.view), request)),
    [open, change],
  );
  const actions = useMemo(
    () => ({
      isBusy,
      onEdit: (item: Item) => setDialog({ kind: 'edit', item }),
      onRetry: (item: Item, model?: string) =>
        void retry(item, model === undefined ? {} : { model }).catch(notices.fail),
      onVersion: (versionId: string) => void change(() => open.activate(versionId)).catch(notices.fail),
      canRetry: (item: Item) => canRetry(item, open.view.getSnapshot().items),
      onFork: (item: Item) => setDialog({ kind: 'fork', item }),
      onRewind: (item: Item) => setDialog({ kind: 'rewind', item }),
      onTakeBack: (messageId: string) => void takeBack(messageId).catch(notices.fail),
      loadTurn: (turnId: string) => client.getTurn(id, turnId),
    }),
    [change, client, id, isBusy, open, retry, takeBack, notices],
  );
  const prompt = findLastPrompt(snapshot);
  const olderFailed = (error: unknown) => notices.fail(error);
  const isDisconnected = useDisconnected();
  const { isPrinting, print } = usePrint(open.view);
  const { finding, find, endFind } = useFind();
  const act = useCallback(
    (action: ChatAction) => {
      if (action.kind === 'find') find();
      else if (action.kind === 'print') void print();
      else if (action.kind === 'compact') void compactNow(kernel, id);
      else setDialog(action);
    },
    [find, print, kernel, id],
  );
  if (snapshot.failure) return <LoadFailure failure={snapshot.failure} />;
  return (
    <DropArea attachments={attachments}>
      <ChatHeader chat={record} model={prompt?.model ?? null} tokens={prompt?.tokens ?? null} onOpen={act} />
      <Transcript
        key={id}
        rows={rows}
        outgoing={outgoing}
        hasOlder={snapshot.has_older}
        isLoadingOlder={snapshot.loading_older}
        onOlder={() => void open.view.loadOlder().catch(olderFailed)}
        target={target}
        isLive={isBusy}
        actions={actions}
        isPrinting={isPrinting}
        finding={finding}
        onFindEnd={endFind}
      >
        {!snapshot.loaded && isDisconnected ? (
          <Empty title="Not available offline">
            <p>
              This device does not store the content of chats. This chat loads when the connection is back.
            </p>
          </Empty>
        ) : null}
        {snapshot.loaded && rows.length + outgoing.length === 0 ? (
          <Empty title="No messages yet">
            <p>Write the first message below, or drop files here.</p>
          </Empty>
        ) : null}
        <ChatStatus chat={record} snapshot={snapshot} isSending={isSending || isChanging} />
      </Transcript>
      <Dock
        chat={record}
        open={open}
        draft={draft}
        attachments={attachments}
        isBusy={isBusy}
        plan={snapshot.plan}
        onOpen={act}
      />
      {dialog && record ? (
        <ChatDialogs
          dialog={dialog}
          chat={record}
          items={snapshot.items}
          view={open.view}
          draft={draft}
          onEdited={(item, text) => retry(item, editedFields(item, text))}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </DropArea>
  );
}

function LoadFailure({ failure }: { failure: Error }) {
  if (failure instanceof KernelApiError && failure.status === 404) {
    return <NotFound title="Chat not found" about="It was deleted, or its address is wrong." />;
  }
  return <NotFound title="Couldn't load this chat" about={describeError(failure)} />;
}

/** Returns the record of a chat from the list, and reads it if the list does not have it. */
function useChatRecord(kernel: Kernel, id: string): Chat | null {
  const { chats } = useStore(kernel.chats.list);
  const known = chats.find(chat => chat.id === id) ?? null;
  const isKnown = known !== null;
  useEffect(() => {
    // If the chat was deleted, the view shows that.
    if (!isKnown) kernel.chats.readAgain(id).catch(() => {});
  }, [kernel, id, isKnown]);
  return known;
}

/** Returns the id of the message in the address, or null. */
function useHashTarget(
  chatId: string,
  { items, has_older, loading_older, loaded }: ChatSnapshot,
  open: OpenChat,
): string | null {
  const hash = useSyncExternalStore(watchHash, readHash);
  const target = hash.slice(1) || null;
  const isLoaded =
    target === null ||
    items.some(({ id }) => id.startsWith(target)) ||
    items.some(item => item.kind === 'user_message' && item.message_id === target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each page that was loaded
  useEffect(() => {
    if (loaded && !isLoaded && has_older && !loading_older) void open.view.loadOlder().catch(() => {});
  }, [chatId, isLoaded, has_older, loading_older, loaded, items.length]);
  return target;
}

const readHash = (): string => location.hash;

function watchHash(changed: () => void): () => void {
  const events = ['hashchange', 'popstate', 'pushState', 'replaceState'];
  for (const name of events) window.addEventListener(name, changed);
  return () => {
    for (const name of events) window.removeEventListener(name, changed);
  };
}

interface Shown {
  snapshot: ChatSnapshot;
  rows: readonly Row[];
}

/** Opens the chat while it is on the screen, and returns its snapshot and the rows to draw. */
function useOpenChat(kernel: Kernel, id: string): Shown & { chat: OpenChat } {
  const chat = useMemo(() => openChat(kernel, id), [kernel, id]);
  const [shown, setShown] = useState<Shown>(() => ({ snapshot: chat.view.getSnapshot(), rows: [] }));
  useEffect(() => {
    const cutter = new Rows();
    let last: Shown | null = null;
    const update = () => {
      const snapshot = chat.view.getSnapshot();
      // Unchanged items make the same rows: only the turn or the connection has changed.
      const rows =
        last?.snapshot.items === snapshot.items
          ? last.rows
          : cutter.of(snapshot.items, snapshot.turn?.turn_id ?? null);
      const next = { snapshot, rows };
      last = next;
      // Key presses have priority: the user's input must not wait for new text of the model.
      startTransition(() => setShown(next));
    };
    const stop = chat.view.subscribe(update);
    update();
    return () => {
      stop();
      chat.close();
    };
  }, [chat]);
  return { chat, ...shown };
}
