// Light, dark, or as the system has it.

import { signal } from '@preact/signals';
import { Icon } from './icons';

const system = matchMedia('(prefers-color-scheme: dark)');

/** The theme in force. Canvas drawings follow it; style sheets follow the attribute by themselves. */
export const dark = signal(isDark());

system.addEventListener('change', () => {
  dark.value = isDark();
});

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : system.matches;
}

export function Theme() {
  const turn = () => {
    const next = dark.value ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem('ripple.theme', next);
    } catch {
      // Holds until the page is left.
    }
    dark.value = isDark();
  };
  return (
    <button type="button" class="button icon-only quiet" onClick={turn} aria-label={dark.value ? 'Light theme' : 'Dark theme'} title={dark.value ? 'Light theme' : 'Dark theme'}>
      <Icon name={dark.value ? 'sun' : 'moon'} />
    </button>
  );
}
