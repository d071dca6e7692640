/** Settings page: notifications, sleep, this device, tools and configuration. */

import type { Completion } from '@chat-kernel/client';
import { useState } from 'react';
import { dollars, plain } from '../base/amounts.ts';
import { toKernelUrl } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { Output } from '../items/output.tsx';
import { access, forgetToken } from '../kernel/access.ts';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { textAt } from '../requests/text-at.ts';
import { Page, Part } from './page.tsx';
import { PushPart } from './push-part.tsx';
import { SleepPart } from './sleep-part.tsx';
import { ToolTable } from './tool-table.tsx';

export default function SettingsPage() {
  return (
    <Page title="Settings" about="Notifications, sleep and configuration.">
      <PushPart />
      <SleepPart />
      <Device />
      <ToolTable />
      <AskOnce />
      <FilePreview />
      <Configuration />
    </Page>
  );
}

function Device() {
  const { token } = useStore(access);
  return (
    <Part
      title="This device"
      about="This browser stores drafts and, if you choose, the access token. It stores no messages."
    >
      {token === null ? (
        <p>No access token required.</p>
      ) : (
        <button type="button" onClick={forgetToken}>
          Remove token
        </button>
      )}
    </Part>
  );
}

/** Sends one request to the default model, outside any chat. */
function AskOnce() {
  const { client } = useKernel();
  const [prompt, setPrompt] = useState('');
  const [answer, setAnswer] = useState<Completion | null>(null);
  const ask = async () => setAnswer(await client.complete({ prompt }));
  return (
    <Part title="Ask once" about="A single request to the default model, outside any chat.">
      <InlineForm action="Ask" onSubmit={ask} disabled={!prompt.trim()}>
        <label className="field grow">
          Prompt
          <input value={prompt} onChange={event => setPrompt(event.target.value)} />
        </label>
      </InlineForm>
      {answer ? (
        <>
          <pre className="output">{answer.text}</pre>
          <p className="hint">
            {answer.model}
            {answer.usage
              ? ` · ${plain(answer.usage.prompt_tokens + answer.usage.completion_tokens)} tokens · ${dollars(answer.usage.cost_usd)}`
              : ''}
          </p>
        </>
      ) : null}
    </Part>
  );
}

/** The effective settings of the kernel, with secrets hidden. */
function Configuration() {
  const { client } = useKernel();
  const { value, error } = useLoaded(() => client.getConfig());
  return (
    <Part
      title="Current configuration"
      about="Edit the settings file and restart to apply changes. Secrets are hidden."
    >
      {error ? <p className="error">{error}</p> : null}
      {value
        ? Object.entries(value).map(([name, section]) => (
            <details key={name} className="call">
              <summary>
                <strong>{name}</strong>
                <span className="gist">
                  {typeof section === 'string' ? section : Object.keys(section as object).join(', ')}
                </span>
              </summary>
              <div className="inside">
                <Output text={JSON.stringify(section, null, 2)} />
              </div>
            </details>
          ))
        : null}
      <p className="hint">
        For developers: <a href={toKernelUrl('/apidocs')}>API reference</a> and{' '}
        <a href={toKernelUrl('/apidocs/errors')}>error codes</a>
      </p>
    </Part>
  );
}

/** Shows the beginning of a file on the server. */
function FilePreview() {
  const { client } = useKernel();
  const [path, setPath] = useState('');
  const [text, setText] = useState<string | null>(null);
  const preview = async () => {
    setText(null);
    const found = await textAt(client, path);
    if (found === null) throw new Error(`Couldn't read ${path}.`);
    setText(found);
  };
  return (
    <Part title="Preview file" about="Shows the beginning of a file on the server.">
      <InlineForm action="Preview" onSubmit={preview} disabled={!path}>
        <label className="field grow">
          Absolute path
          <input
            value={path}
            placeholder="/home/me/notes.md"
            onChange={event => setPath(event.target.value)}
          />
        </label>
      </InlineForm>
      {text === null ? null : <Output text={text} />}
    </Part>
  );
}
