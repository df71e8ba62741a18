import { type Signal, signal } from '@preact/signals';

/** The colours of the page: those of the system unless the person chose. */
export type Theme = 'dark' | 'light' | 'system';

const KEY = 'client-ts-inspector-theme';

export const theme: Signal<Theme> = signal<Theme>('system');

/** Grows when the colours change, so that drawings that read them are drawn again. */
export const colours: Signal<number> = signal(0);

/** Restores the choice of the person and follows that of the system. */
export function followTheme(): void {
  const kept = localStorage.getItem(KEY);
  apply(kept === 'dark' || kept === 'light' ? kept : 'system');
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    colours.value += 1;
  });
}

/** The other theme than the one that is shown. */
export function toggleTheme(): void {
  const isDark =
    theme.value === 'system'
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : theme.value === 'dark';
  const next = isDark ? 'light' : 'dark';
  localStorage.setItem(KEY, next);
  apply(next);
}

function apply(next: Theme): void {
  theme.value = next;
  if (next === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset['theme'] = next;
  colours.value += 1;
}
