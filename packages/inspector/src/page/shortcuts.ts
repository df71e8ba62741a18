import { type Signal, signal } from '@preact/signals';

import { go, VIEWS } from './route.ts';
import { cursor, follow, pause, shift, step } from './state.ts';
import { toggleTheme } from './theme.ts';

/** Whether the list of shortcuts is open. */
export const isHelpOpen: Signal<boolean> = signal(false);

/** The shortcuts, for people. */
export const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['1 – 5', 'overview, informers, queues, requests, time line'],
  ['Space', 'pause, or follow again'],
  ['← →', 'previous and next record'],
  ['Shift ← →', 'five seconds back and forward'],
  ['/', 'search'],
  ['↑ ↓ Enter', 'move through a table, open a row'],
  ['o', 'open the file of a session'],
  ['e', 'export the session'],
  ['t', 'dark or light'],
  ['Esc', 'back, close'],
  ['?', 'this list'],
];

/** Listens to the keys of the whole page. Returns how to stop. */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
      return;
    }
    if (isHelpOpen.value) return;
    const act = actionOf(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

function actionOf(event: KeyboardEvent): (() => void) | undefined {
  const view = VIEWS[Number(event.key) - 1];
  if (view !== undefined) return () => go(view);
  switch (event.key) {
    case ' ':
      // On a button or a link the space bar presses it.
      if (event.target instanceof HTMLButtonElement) return undefined;
      return () => (cursor.value === undefined ? pause() : follow());
    case 'ArrowLeft':
      return () => (event.shiftKey ? shift(-5000) : step(-1));
    case 'ArrowRight':
      return () => (event.shiftKey ? shift(5000) : step(1));
    case '/':
      return () => document.querySelector<HTMLInputElement>('[data-search]')?.focus();
    case 'o':
    case 'e':
      return () => document.querySelector<HTMLElement>(`[data-shortcut=${event.key}]`)?.click();
    case 't':
      return toggleTheme;
    case 'Escape':
      return leave;
    case '?':
      return () => {
        isHelpOpen.value = true;
      };
    default:
      return undefined;
  }
}

/** One step up in the address: from a key to its queue, from there to all queues. */
function leave(): void {
  const parts = location.hash.split('/');
  if (parts.length > 2) location.hash = parts.slice(0, -1).join('/');
}
