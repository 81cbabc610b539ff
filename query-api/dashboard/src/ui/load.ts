// Waiting for an answer: `useLoad(key, ask)` asks again when the key changes and drops answers that come too late.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { Trouble } from '../api/client';

export interface Load<T> {
  data: T | null;
  error: Trouble | null;
  loading: boolean;
  reload: () => void;
}

/** A null key asks nothing. The last answer stays in sight while the next one is on its way. */
export function useLoad<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>): Load<T> {
  const [state, setState] = useState<{ data: T | null; error: Trouble | null; loading: boolean }>({ data: null, error: null, loading: key !== null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === null) {
      setState({ data: null, error: null, loading: false });
      return;
    }
    const stop = new AbortController();
    setState((state) => ({ ...state, loading: true }));
    ask(stop.signal).then(
      (data) => stop.signal.aborted || setState({ data, error: null, loading: false }),
      (error) => stop.signal.aborted || setState({ data: null, error: asTrouble(error), loading: false }),
    );
    return () => stop.abort();
  }, [key, round]);
  return { ...state, reload: useCallback(() => setRound((round) => round + 1), []) };
}

export function asTrouble(error: unknown): Trouble {
  return error instanceof Trouble ? error : new Trouble('page', error instanceof Error ? error.message : String(error));
}

/** The value once it has stood still for a moment: for questions asked while typing. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
