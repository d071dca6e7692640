/** The page for a new chat, which is created with its first message. */
import { useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { readStored, writeStored } from '../base/storage.ts';
import { useStore } from '../base/store.ts';
import { firstLine } from '../base/text.ts';
import { type Attachment, Attachments, toTurnFields } from '../composer/attachments.ts';
import { Choices, type Machine, type TurnChoices } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import type { Outgoing } from '../kernel/open-chat.ts';
import { useDisconnected } from '../kernel/use-is-lost.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { usePageCommands } from '../nav/page-commands.ts';
import { StatusBar } from '../nav/status-bar.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import { Sending } from '../transcript/sending.tsx';
import { FirstStatus } from './chat-status.tsx';
import { Directory } from './directory.tsx';
import { DropArea } from './drop-area.tsx';
import { hasDirectory, keepDirectory, lastDirectory, placeOn, setMachine } from './machine.ts';
import { choiceCommands } from './palette-commands.ts';
import { Welcome } from './welcome.tsx';

export function NewChatPage() {
  const kernel = useKernel();
  const { client, chats, notices } = kernel;
  const [, go] = useLocation();
  const draft = useMemo(() => new Draft(null), []);
  const attachments = useMemo(() => new Attachments(kernel), [kernel]);
  const [choices, setChoices] = useState<TurnChoices>({ model: null, effort: null, machine: keptMachine() });
  const [directory, setDirectory] = useState(() => lastDirectory(choices.machine) ?? '');
  const models = useStore(kernel.models);
  usePageTitle(null);
  const isDisconnected = useDisconnected();
  /** The first message while it is being sent. */
  const [sending, setSending] = useState<Outgoing | null>(null);
  const isStopped = useRef(false);
  const isDemo = models?.default_model === 'demo/demo' && choices.model === null;
  const change = (what: Partial<TurnChoices>) => {
    if (what.machine) {
      writeStored('machine', what.machine);
      setDirectory(lastDirectory(what.machine) ?? '');
    }
    setChoices({ ...choices, ...what });
  };
  usePageCommands(choiceCommands(models, change));
  const send = (text: string, files: readonly Attachment[]) => {
    const restore = () => {
      draft.restore(text);
      attachments.restore(files);
    };
    if (sending) return restore();
    const begin = async () => {
      const { model, effort, machine } = choices;
      // The demo model generates no titles.
      const title = isDemo ? firstLine(text, 60) : '';
      const chat = await client.createChat({
        ...(title && { title }),
        ...(model !== null && { model }),
        ...(effort !== null && { effort }),
        ...(hasDirectory(machine) && placeOn(machine, directory)),
        ...(machine === 'server' && { consent: 'ask' }),
      });
      if (hasDirectory(machine)) keepDirectory(machine, directory);
      else await setMachine(client, chat, machine);
      chats.take(chat);
      const none = machine === 'none' ? { machine: 'none' as const } : {};
      // The turn does not depend on this stream; the page of the chat follows it.
      const stream = client.turn(chat.id, {
        text,
        questions: true,
        consents: true,
        whole_calls: true,
        ...none,
        ...toTurnFields(files),
      });
      await stream.started;
      await stream.leave();
      if (isStopped.current) {
        const { dropped = [] } = await client.cancelTurn(chat.id, { queued: true });
        // The kernel removes the message of a turn that has not begun.
        if (dropped.length > 0) draft.restore(text);
      }
      // The chat shows the turn of its record until the first event arrives.
      await chats.readAgain(chat.id).catch(() => {});
      draft.moveTo(chat.id);
      go(chatPath(chat.id));
    };
    isStopped.current = false;
    setSending({ key: 'first', text, files: files.length });
    begin().catch(error => {
      setSending(null);
      notices.fail(error);
      restore();
    });
  };
  return (
    <DropArea attachments={attachments}>
      <header className="chat-header">
        <MenuButton />
        <h1>New chat</h1>
      </header>
      {sending ? (
        <div className="transcript">
          <div className="scroller">
            <div className="column first-message">
              <Sending outgoing={[sending]} />
              <FirstStatus />
            </div>
          </div>
        </div>
      ) : (
        <Welcome
          isDemo={isDemo}
          hasModel={models === null || models.models.length > 0}
          isDisconnected={isDisconnected}
          onTry={text => send(text, [])}
        />
      )}
      <div className="dock">
        <StatusBar chatId={null} />
        <RequestDialogs chatId={null} />
        {choices.machine === 'server' ? <SandboxNotice /> : null}
        {hasDirectory(choices.machine) ? (
          <Directory machine={choices.machine} value={directory} onChange={setDirectory} />
        ) : null}
        <Composer
          draft={draft}
          attachments={attachments}
          isBusy={sending !== null}
          commands={[]}
          onSend={send}
          onStop={() => {
            isStopped.current = true;
          }}
        >
          <Choices choices={choices} onChange={change} />
        </Composer>
      </div>
    </DropArea>
  );
}

/** Returns the machine of the last new chat. The default is the server, which asks before it changes anything. */
function keptMachine(): Machine {
  const before = readStored('machine');
  return before === 'none' || before === 'client' ? before : 'server';
}

/** Says that no sandbox works on the server, where a new chat could run commands. */
function SandboxNotice() {
  const problem = useStore(useKernel().tools)?.no_sandbox;
  return problem === undefined ? null : (
    <p className="hint">
      No sandbox works on the server: {problem}. Without a working directory, commands and changes ask first.
    </p>
  );
}
