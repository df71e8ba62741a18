import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { isHelpOpen, SHORTCUTS } from '../shortcuts.ts';
import { Icon } from './icons.tsx';

/** The list of shortcuts, over the page. */
export function HelpPanel(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog class="help" ref={dialog} aria-labelledby="help-title" onClose={close}>
      <header class="detail-head">
        <h2 id="help-title">Keyboard shortcuts</h2>
        <button
          type="button"
          class="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {SHORTCUTS.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (key === '–' ? ' – ' : <kbd key={key}>{key}</kbd>))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
