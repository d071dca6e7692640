/** Asks for the token of the proxy, once. It goes as a header of each request, and never into an address. */
import { type FormEvent, useState } from 'react';
import { giveToken } from '../kernel/access.ts';

export function TokenPrompt({ wrong }: { wrong: boolean }) {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim()) giveToken(token.trim(), isKept);
  };
  return (
    <main className="token-prompt">
      <form onSubmit={submit}>
        <h1>Chat Kernel</h1>
        <p>The proxy before this kernel asks for a token.</p>
        <label className="field">
          Access token
          {/* A text box and no password: the browser is not to keep it, for this page asks where it may be kept. */}
          <input
            className="secret"
            type="text"
            // biome-ignore lint/a11y/noAutofocus: it is all there is on this page
            autoFocus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={token}
            onChange={event => setToken(event.target.value)}
          />
        </label>
        {wrong ? (
          <p className="error" role="alert">
            This token was refused.
          </p>
        ) : null}
        <label className="check">
          <input type="checkbox" checked={isKept} onChange={event => setKept(event.target.checked)} /> Keep on
          this device
        </label>
        <button type="submit" className="primary" disabled={!token.trim()}>
          Continue
        </button>
      </form>
    </main>
  );
}
