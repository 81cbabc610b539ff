// Asks for the token of a server that wants one. It is kept for this tab only.

import { useState } from 'preact/hooks';
import { api, locked, setToken, Trouble } from '../api/client';
import { Mark } from '../ui/icons';
import { asTrouble } from '../ui/load';

export function Login({ onDone }: { onDone: () => void }) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const enter = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    setToken(value.trim());
    try {
      await api.schema();
      locked.value = null;
      onDone();
    } catch (error) {
      setError(asTrouble(error));
      setToken('');
    }
    setBusy(false);
  };
  const words = error ? (error.status === 401 ? 'That is not the token of this server.' : error.message) : locked.value === 'wrong' ? 'The token is no longer good.' : '';
  return (
    <main class="login">
      <form onSubmit={enter}>
        <h1 class="login-brand">
          <Mark />
          Ripple
        </h1>
        <p class="soft">This server asks for a token. Whoever started it knows it: it is the value of RIPPLE_TOKEN there.</p>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          autofocus
          required
          value={value}
          aria-describedby="token-error"
          aria-invalid={words ? true : undefined}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p id="token-error" class="field-error" role="alert">
          {words}
        </p>
        <button type="submit" class="button primary" disabled={busy || !value.trim()}>
          {busy ? 'Looking' : 'Enter'}
        </button>
        <p class="faint">It stays in this tab and is forgotten when the tab is closed.</p>
      </form>
    </main>
  );
}
