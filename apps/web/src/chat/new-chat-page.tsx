/** Where a new chat begins: its first message makes it. */
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { keep, kept } from '../base/kept.ts';
import { chatPath } from '../base/place.ts';
import { useStore } from '../base/store.ts';
import { firstLine } from '../base/words.ts';
import type { Attached } from '../composer/attachments.ts';
import { Attachments, fieldsOf } from '../composer/attachments.ts';
import { Choices, type Machine, type TurnChoices } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import { Draft } from '../composer/draft.ts';
import { useKernel } from '../kernel/context.ts';
import { MenuButton } from '../nav/menu-button.tsx';
import { RequestDialogs } from '../requests/request-dialogs.tsx';
import { Directory } from './directory.tsx';
import { DropArea } from './drop-area.tsx';
import { hasDirectory, keepDirectory, lastDirectory, placeOn, setMachine } from './machine.ts';
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
  useEffect(() => {
    document.title = 'Chat Kernel';
  }, []);
  const isDemo = models?.default_model === 'demo/demo' && choices.model === null;
  const change = (what: Partial<TurnChoices>) => {
    if (what.machine) {
      keep('machine', what.machine);
      setDirectory(lastDirectory(what.machine) ?? '');
    }
    setChoices({ ...choices, ...what });
  };
  const send = (text: string, files: readonly Attached[]) => {
    const begin = async () => {
      const { model, effort, machine } = choices;
      // The demo model finds no titles.
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
      const stream = client.turn(chat.id, { text, questions: true, ...none, ...fieldsOf(files) });
      await stream.started;
      await stream.leave();
      go(chatPath(chat.id));
    };
    begin().catch(error => {
      notices.fail(error);
      draft.restore(text);
      attachments.restore(files);
    });
  };
  return (
    <DropArea attachments={attachments}>
      <header className="chat-header">
        <MenuButton />
        <h1>New chat</h1>
      </header>
      <Welcome
        isDemo={isDemo}
        hasModel={models === null || models.models.length > 0}
        onTry={text => send(text, [])}
      />
      <div className="dock">
        <RequestDialogs chatId={null} />
        {hasDirectory(choices.machine) ? (
          <Directory machine={choices.machine} value={directory} onChange={setDirectory} />
        ) : null}
        <Composer
          draft={draft}
          attachments={attachments}
          isBusy={false}
          commands={[]}
          onSend={send}
          onStop={() => {}}
        >
          <Choices choices={choices} onChange={change} />
        </Composer>
      </div>
    </DropArea>
  );
}

/** The machine that the last new chat had. The kernel's is the beginning: it asks before it changes anything. */
function keptMachine(): Machine {
  const before = kept('machine');
  return before === 'none' || before === 'client' ? before : 'server';
}
