// The frame around every page: navigation, theme, keys, source panel, login.

import { Component, type ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { locked } from './api/client';
import { Ask } from './pages/ask';
import { Login } from './pages/login';
import { go, link, place } from './route';
import { asTrouble } from './ui/load';
import { Icon, type IconName, Mark } from './ui/icons';
import { Busy, Empty, Failed } from './ui/parts';
import { SourcePanel } from './ui/source';
import { Theme } from './ui/theme';

interface Page {
  path: string;
  title: string;
  icon: IconName;
  key: string;
  load: () => Promise<ComponentType>;
}

export const PAGES: Page[] = [
  { path: 'ask', title: 'Ask', icon: 'ask', key: 'a', load: async () => Ask },
  { path: 'ripple', title: 'Ripple', icon: 'ripple', key: 'r', load: async () => (await import('./pages/ripple')).Ripple },
  { path: 'explore', title: 'Explore', icon: 'explore', key: 'e', load: async () => (await import('./pages/explore')).Explore },
  { path: 'console', title: 'Console', icon: 'console', key: 'c', load: async () => (await import('./pages/console')).Console },
  { path: 'change', title: 'Change', icon: 'change', key: 'h', load: async () => (await import('./pages/change')).Change },
  { path: 'index', title: 'Index', icon: 'index', key: 'i', load: async () => (await import('./pages/index')).Index },
];

const NODE: Page = { path: 'node', title: 'Symbol', icon: 'explore', key: '', load: async () => (await import('./pages/node')).Node };

export function App() {
  const [help, setHelp] = useState(false);
  const [round, setRound] = useState(0);
  const name = place.value.path[0] ?? 'ask';
  const page = name === 'node' ? NODE : PAGES.find((page) => page.path === name);
  useKeys(() => setHelp((help) => !help));
  useEffect(() => {
    document.title = `${page?.title ?? 'Nothing here'} · Ripple`;
  }, [page]);
  if (locked.value) return <Login onDone={() => setRound((round) => round + 1)} />;
  return (
    <div class={place.value.query.src ? 'frame with-panel' : 'frame'} key={round}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.querySelector<HTMLElement>('#main')?.focus())}>
        Skip to the page
      </a>
      <nav class="rail" aria-label="Pages">
        <a class="brand" href={link('ask')}>
          <Mark />
          Ripple
        </a>
        <ul>
          {PAGES.map((entry) => (
            <li key={entry.path}>
              <a href={link(entry.path)} aria-current={entry === page || (page === NODE && entry.path === 'explore') ? 'page' : undefined}>
                <Icon name={entry.icon} />
                <span>{entry.title}</span>
              </a>
            </li>
          ))}
        </ul>
        <div class="rail-foot">
          <Theme />
          <button type="button" class="button icon-only quiet" aria-label="Keys" title="Keys (?)" onClick={() => setHelp(true)}>
            <span class="key-mark" aria-hidden="true">?</span>
          </button>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        <Guard key={place.value.path.join('/')}>{page ? <Lazy key={page.path} page={page} /> : <Lost />}</Guard>
      </main>
      <SourcePanel />
      {help && <Keys onClose={() => setHelp(false)} />}
    </div>
  );
}

function Lazy({ page }: { page: Page }) {
  const [View, setView] = useState<{ view: ComponentType } | null>(page.path === 'ask' ? { view: Ask } : null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    page.load().then((view) => setView({ view }), setError);
  }, [page]);
  if (error) return <Failed error={asTrouble(error)} retry={() => location.reload()} />;
  return View ? <View.view /> : <Busy what="Opening" />;
}

function Lost() {
  return (
    <Empty title="Nothing is at this address">
      <a href={link('ask')}>Ask a question</a> or <a href={link('explore')}>look up a symbol</a>.
    </Empty>
  );
}

/** A fault in a page leaves the frame standing. */
class Guard extends Component<object, { error: unknown }> {
  override state = { error: null };
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (!this.state.error) return this.props.children;
    return <Failed error={asTrouble(this.state.error)} retry={() => this.setState({ error: null })} />;
  }
}

/** `g` and a letter open a page, `/` goes to its first field, `?` shows the keys. */
function useKeys(help: () => void) {
  const waiting = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.composedPath()[0] as HTMLElement;
      const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName ?? '');
      if (event.key === 'Escape' && typing) target.blur();
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (waiting.current && performance.now() - waiting.current < 1500) {
        waiting.current = 0;
        const page = PAGES.find((page) => page.key === event.key);
        if (page) {
          event.preventDefault();
          go(link(page.path));
        }
        return;
      }
      if (event.key === 'g') waiting.current = performance.now();
      else if (event.key === '?') help();
      else if (event.key === '/') {
        const field = document.querySelector<HTMLElement>('main [data-first], main input, main textarea');
        if (field) {
          event.preventDefault();
          field.focus();
        }
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function Keys({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const keys: [string, string][] = [
    ...PAGES.map((page): [string, string] => [`g ${page.key}`, `open ${page.title}`]),
    ['/', 'go to the first field'],
    ['Ctrl Enter', 'run the query (Console)'],
    ['Esc', 'close what lies on top'],
    ['+ − 0', 'zoom a graph, fit it'],
    ['n p', 'next place in a graph, the one before'],
    ['arrows', 'move about in a graph, in tabs and in lists'],
    ['?', 'this list'],
  ];
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose} onClick={(event) => event.target === dialog.current && onClose()}>
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button small" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
