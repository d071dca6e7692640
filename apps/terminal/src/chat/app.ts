/** The screen of the chat, connected to its controller. */
import { type ReactElement, useEffect, useMemo, useSyncExternalStore } from 'react';
import { COMMANDS } from '../commands/index.ts';
import { skillCommands } from '../commands/skills.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import { clipboardImage, readImage } from '../machine/images.ts';
import { completePath, typedPath } from '../machine/paths.ts';
import { ChatScreen } from '../screen/chat-screen.ts';
import { h } from '../screen/element.ts';
import type { ChatSession } from '../session/session.ts';
import type { AppState } from '../state/app-state.ts';
import { openQuestionOf } from '../state/open-question.ts';
import { shownItems } from '../state/shown-items.ts';
import { statusOf } from '../state/status.ts';
import { capabilitiesOf, type TerminalCapabilities } from '../text/paint.ts';
import { titleSequence } from './window-title.ts';

/** The props stay the same while the program runs. */
interface AppProps {
  session: ChatSession;
  capabilities: TerminalCapabilities;
  completeFile: (query: string) => Promise<readonly string[]>;
}

export const appProps = (session: ChatSession): AppProps => ({
  session,
  capabilities: capabilitiesOf(process.env),
  completeFile: query => completePath(session.store.get().workdir, query),
});

export function App({ session, capabilities, completeFile }: AppProps): ReactElement {
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
    onEdit: session.input.edit,
    onSubmit: session.submit,
    onEscape: session.escape,
    onInterrupt: session.interrupt,
    onExit: session.quit,
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
    commands: useMemo(() => [...COMMANDS, ...skillCommands(state.skills)], [state.skills]),
    completeFile,
    placeholder: 'A message, or / for commands',
    capabilities,
    view: {
      iconOf: tool => state.icons.get(tool) ?? null,
      addressOf: url => (url.startsWith('/') ? client.url + url : url),
    },
    imageBytes: async ({ image_id }) => {
      const response = await client.open('GET', '/images/{id}', { path: { id: image_id } });
      return new Uint8Array(await response.arrayBuffer());
    },
  });
}

/** Dialogs that ask for a decision come before a panel that the owner has opened. */
function dialogOf(session: ChatSession, { approvals, snapshot, panel }: AppState): Dialog | null {
  const [approval] = approvals;
  if (approval !== undefined) return approval.dialog;
  const request = openQuestionOf(snapshot);
  if (request !== null)
    return { kind: 'question', request, onAnswer: given => session.turns.answer(request, given) };
  return panel;
}
