/** The screen of the chat, wired to its controller. */
import { type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { COMMANDS } from '../commands/index.ts';
import { clipboardImage, readImage } from '../machine/images.ts';
import { completePath, typedPath } from '../machine/paths.ts';
import { ChatScreen } from '../screen/chat-screen.ts';
import type { Dialog } from '../screen/dialog-view.ts';
import { h } from '../screen/element.ts';
import type { ChatSession } from '../session/session.ts';
import type { AppState } from '../state/app-state.ts';
import { openQuestionOf } from '../state/open-question.ts';
import { shownItems } from '../state/shown-items.ts';
import { statusOf } from '../state/status.ts';
import { type Capabilities, capabilitiesOf } from '../text/paint.ts';
import { titleSequence } from './window-title.ts';

/** What does not change while the program runs. */
export interface AppParts {
  session: ChatSession;
  capabilities: Capabilities;
  completeFile: (query: string) => Promise<readonly string[]>;
}

export const partsOf = (session: ChatSession): AppParts => ({
  session,
  capabilities: capabilitiesOf(process.env),
  completeFile: query => completePath(session.store.get().workdir, query),
});

export function App({ session, capabilities, completeFile }: AppParts): ReactElement {
  const { client, store } = session;
  const state = useSyncExternalStore(store.subscribe, store.get);
  const title = state.chat?.title ?? 'Chat Kernel';
  useEffect(() => {
    process.stdout.write(titleSequence(title));
  }, [title]);
  return h(ChatScreen, {
    chatKey: String(state.page),
    items: shownItems(state),
    plan: state.snapshot.plan,
    status: statusOf(state),
    dialog: dialogOf(session, state),
    editor: state.editor,
    onEdit: session.edit,
    onSubmit: session.submit,
    onEscape: session.escape,
    onInterrupt: session.interrupt,
    onExit: session.quit,
    async onPasteImage() {
      const image = await clipboardImage();
      if (image === null) session.notify('There is no image in the clipboard.');
      return image;
    },
    onPath: path =>
      readImage(typedPath(state.workdir, path)).catch(error => {
        session.fail(error);
        return null;
      }),
    commands: COMMANDS,
    completeFile,
    placeholder: 'A message, or / for commands',
    capabilities,
    view: {
      iconOf: tool => state.icons.get(tool) ?? null,
      addressOf: url => (url.startsWith('/') ? client.url + url : url),
    },
    imageBytes: async ({ image_id }) => {
      const answer = await client.open('GET', '/images/{id}', { path: { id: image_id } });
      return new Uint8Array(await answer.arrayBuffer());
    },
  });
}

/** What asks for a decision comes before what the owner has opened. */
function dialogOf(session: ChatSession, { approvals, snapshot, panel }: AppState): Dialog | null {
  const [approval] = approvals;
  if (approval !== undefined) return approval.dialog;
  const request = openQuestionOf(snapshot);
  if (request !== null)
    return { kind: 'question', request, onAnswer: given => session.answer(request, given) };
  return panel;
}
