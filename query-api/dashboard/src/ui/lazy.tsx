// A part of the page whose code comes when it is first shown.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asTrouble } from './load';
import { Busy, Failed } from './parts';

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, setRound] = useState(0);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (known) return;
      load().then((view) => {
        known = view;
        setRound(1);
      }, setError);
    }, []);
    if (error) return <Failed error={asTrouble(error)} retry={() => location.reload()} />;
    const View = known;
    return View ? <View {...props} /> : <Busy what="Opening" />;
  };
}
