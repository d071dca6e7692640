/** Connects the screen to the session. */
import { type ChatSnapshot, KernelApiError, type OpenRequest, questionOf } from '@chat-kernel/client';
import { useApp } from 'ink';
import { type ReactElement, useEffect, useMemo, useSyncExternalStore } from 'react';
import { listCommands, skillCommands } from '../commands/index.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import type { QuestionAnswer, QuestionRequest } from '../dialogs/question.ts';
import type { OwnerAction } from '../editor/reduce-editor.ts';
import { clipboardImage, readImage } from '../machine/images.ts';
import { ACCEPTED } from '../machine/modes.ts';
import { typedPath } from '../machine/paths.ts';
import { stopped } from '../machine/user-editor.ts';
import { ChatScreen } from '../screen/chat-screen.ts';
import { h } from '../screen/element.ts';
import type { ChatSession } from '../session/session.ts';
import type { AppState } from '../state/app-state.ts';
import { buildStatus } from '../state/status.ts';
import { shownItems } from '../state/waiting-messages.ts';
import { detectCapabilities } from '../text/paint.ts';
import { titleSequence } from './window-title.ts';

const CAPABILITIES = detectCapabilities(process.env);

export function App({ session }: { session: ChatSession }): ReactElement {
  const { client, store } = session;
  const state = useSyncExternalStore(store.subscribe, store.get);
  const title = state.chat?.title ?? 'Chat Kernel';
  const { suspendTerminal } = useApp();
  const act = (action: OwnerAction): void => {
    if (action === 'suspend') void session.notices.attempt(() => suspendTerminal(stopped));
    else if (action === 'editor')
      void session.notices.attempt(() => suspendTerminal(session.input.editOutside));
    else session.act(action);
  };
  useEffect(() => {
    process.stdout.write(titleSequence(title));
  }, [title]);
  return h(ChatScreen, {
    chatKey: String(state.page),
    items: shownItems(state),
    plan: state.snapshot.plan,
    status: buildStatus(state),
    dialog: selectDialog(session, state),
    editor: state.editor,
    onEdit: session.edit,
    onSubmit: session.submit,
    onEscape: session.escape,
    onInterrupt: session.interrupt,
    onExit: session.quit,
    onSteer: session.steer,
    onAction: act,
    async onPasteImage() {
      const image = await clipboardImage();
      if (image === null) session.notices.notify('There is no image in the clipboard.');
      return image;
    },
    onPath: path =>
      readImage(typedPath(state.workdir, path)).catch(error => {
        session.notices.fail(error);
        return null;
      }),
    commands: useMemo(
      () => [...listCommands(session.ownCommands), ...skillCommands(state.skills)],
      [session.ownCommands, state.skills],
    ),
    completeFile: session.completeFile,
    completeChat: session.completeChat,
    onTakeBack() {
      if (session.line.messages().length === 0) return false;
      void session.notices.attempt(() => session.line.takeLastBack());
      return true;
    },
    placeholder: 'Type a message, or / for commands',
    capabilities: CAPABILITIES,
    view: {
      iconOf: tool => state.icons.get(tool) ?? null,
      isBegun: opId => state.begun.has(opId),
      addressOf: url => (url.startsWith('/') ? client.url + url : url),
    },
    imageBytes: async ({ image_id }) => {
      const response = await client.getImage(image_id);
      return new Uint8Array(await response.arrayBuffer());
    },
  });
}

/** Leaves plan mode when the plan is accepted, so that its changes can be approved. */
function answer(session: ChatSession, request: QuestionRequest, given: QuestionAnswer): void {
  if ('answer' in given && given.answer === ACCEPTED && session.store.get().mode === 'plan')
    session.setMode('ask');
  const { client, store, notices } = session;
  const { chat } = store.get();
  if (chat === null) return;
  const body = { id: request.id, question: request.index, ...given };
  void notices.attempt(async () => {
    await client.answerRequest(chat.id, body).catch(error => {
      // Another client answered first. The dialog closes automatically.
      if (!(error instanceof KernelApiError && OVER.includes(error.code))) throw error;
    });
  });
}

const OVER = ['already_resolved', 'unknown_request'];

/** Dialogs that need a decision take precedence over panels. */
function selectDialog(session: ChatSession, { approvals, snapshot, panel }: AppState): Dialog | null {
  const [approval] = approvals;
  if (approval !== undefined) return approval.dialog;
  const request = findOpenQuestion(snapshot);
  if (request !== null)
    return { kind: 'question', request, onAnswer: given => answer(session, request, given) };
  return panel;
}

/** Returns the first open question, or null; the same object for the same question. */
function findOpenQuestion({ requests }: ChatSnapshot): QuestionRequest | null {
  const open = requests.find(({ kind }) => kind === 'question');
  if (open === undefined) return null;
  const request = questionCache.get(open) ?? { id: open.id, ...questionOf(open) };
  questionCache.set(open, request);
  return request;
}

const questionCache = new WeakMap<OpenRequest, QuestionRequest>();
