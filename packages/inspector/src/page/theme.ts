import { type Signal, signal } from '@preact/signals';

/** The colours of the page: those of the system unless the person chose. */
export type Theme = 'dark' | 'light' | 'system';

const KEY = 'client-ts-inspector-theme';

export const theme: Signal<Theme> = signal<Theme>('system');

/** Grows when the colours change, so that drawings that read them are drawn again. */
export const colours: Signal<number> = signal(0);

const system = matchMedia('(prefers-color-scheme: dark)');

/** Restores the choice of the person and follows that of the system. */
export function followTheme(): void {
  const kept = localStorage.getItem(KEY);
  apply(kept === 'dark' || kept === 'light' ? kept : 'system');
  system.addEventListener('change', () => apply(theme.value));
}

/** The other theme than the one that is shown. */
export function toggleTheme(): void {
  const next = shown(theme.value) === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, next);
  apply(next);
}

function apply(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset['theme'] = shown(next);
  colours.value += 1;
}

function shown(chosen: Theme): 'dark' | 'light' {
  if (chosen !== 'system') return chosen;
  return system.matches ? 'dark' : 'light';
}
