/** Asks once for the access token. It is sent as a header of each request, never in an address. */
import { type FormEvent, useId, useRef, useState } from 'react';
import { giveToken } from '../kernel/access.ts';
import { Button } from '../parts/button.tsx';
import { CheckField } from '../parts/field.tsx';

export function TokenPrompt({ wrong }: { wrong: boolean }) {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const [isShown, setShown] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim()) giveToken(token.trim(), isKept);
  };
  return (
    <main className="token-prompt">
      <form onSubmit={submit}>
        <h1>Chat Kernel</h1>
        <p>Enter the access token for this server.</p>
        {/* Password managers store a password under a name. */}
        <input type="text" autoComplete="username" value="Chat Kernel" readOnly hidden />
        <div className="field">
          <label htmlFor={id}>Access token</label>
          <div className="token-row">
            <input
              ref={field}
              id={id}
              type={isShown ? 'text' : 'password'}
              {...NAMED}
              // biome-ignore lint/a11y/noAutofocus: the field is the only control on this page
              autoFocus
              autoComplete="current-password"
              autoCapitalize="off"
              spellCheck={false}
              value={token}
              onChange={event => setToken(event.target.value)}
            />
            <Button
              label="Show"
              aria-pressed={isShown}
              onClick={() => {
                setShown(shown => !shown);
                field.current?.focus();
              }}
            />
          </div>
        </div>
        {wrong ? (
          <p className="error" role="alert">
            Invalid access token.
          </p>
        ) : null}
        <CheckField label="Keep on this device" checked={isKept} onChange={setKept} />
        <Button label="Continue" type="submit" className="primary" disabled={!token.trim()} />
      </form>
    </main>
  );
}

/** Password managers fill password fields, which have no role by which tools could find them. */
const NAMED = { role: 'textbox' } as const;
