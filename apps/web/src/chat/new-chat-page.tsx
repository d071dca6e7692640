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
import { type Outgoing, TURN_OPTIONS } from '../kernel/open-chat.ts';
import { useDisconnected } from '../kernel/use-is-lost.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { usePageCommands } from '../nav/page-commands.ts';
import { StatusBar } from '../nav/status-bar.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import { Sending } from '../transcript/sending.tsx';
import { FirstStatus } from './chat-status.tsx';
import { choiceCommands } from './commands.ts';
import { Directory } from './directory.tsx';
import { DropArea } from './drop-area.tsx';
import { hasDirectory, keepDirectory, lastDirectory, placeOn, setMachine } from './machine.ts';

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
        ...TURN_OPTIONS,
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

interface WelcomeProps {
  /** True if only the built-in demo model is available. */
  isDemo: boolean;
  hasModel: boolean;
  isDisconnected: boolean;
  onTry(text: string): void;
}

const EXAMPLES = [
  { text: 'think about the sea', about: 'Shows its thinking' },
  { text: 'plan', about: 'Works through a plan' },
  { text: 'run date', about: 'Asks before running a command' },
  { text: 'ask me something', about: 'Asks you a question' },
  { text: 'draw a lighthouse', about: 'Draws a picture' },
  { text: 'long', about: 'Writes a long answer' },
] as const;

/** The content of an empty new chat: a greeting, and examples for the demo model. */
function Welcome({ isDemo, hasModel, isDisconnected, onTry }: WelcomeProps) {
  return (
    <div className="welcome">
      <div>
        <h2>What can I help with?</h2>
        {isDisconnected ? (
          <p role="status">Offline. You can send messages when the connection to Chat Kernel is back.</p>
        ) : isDemo ? (
          <>
            <p>
              This is the built-in demo model. To use a real model, set a provider API key in the environment
              or in the settings file, and restart Chat Kernel. Until then, try:
            </p>
            <ul className="tries">
              {EXAMPLES.map(({ text, about }) => (
                <li key={text}>
                  <button type="button" onClick={() => onTry(text)}>
                    <strong>{text}</strong>
                    <span>{about}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        ) : hasModel ? (
          <p>You can drop or paste files anywhere. Responses continue if you close this page.</p>
        ) : (
          <p>No model available. Set a provider API key and restart Chat Kernel.</p>
        )}
      </div>
    </div>
  );
}
