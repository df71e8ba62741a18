import type { JSX } from 'preact';

const PATHS = {
  overview: 'M3 12h4l2-6 4 12 3-8 1 2h4',
  informers:
    'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Zm0 0v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  queues: 'M4 5h10M4 10h16M4 15h7M4 20h13',
  requests: 'M4 8h14m0 0-4-4m4 4-4 4M20 16H6m0 0 4-4m-4 4 4 4',
  timeline: 'M3 12h18M7 8v8M12 5v14M17 9v6',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5Z',
  previous: 'M17 5 8 12l9 7M6 5v14',
  next: 'm7 5 9 7-9 7M18 5v14',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-6v2m0 16v2M4.9 4.9l1.5 1.5m11.2 11.2 1.5 1.5M2 12h2m16 0h2M4.9 19.1l1.5-1.5M17.6 6.4l1.5-1.5',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-.9.5-1.5 1.1-1.5 2.4m0 3v.1',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M5 20h14',
  open: 'M3 7v12h18V9h-9L10 6H3Z',
  close: 'm6 6 12 12M18 6 6 18',
  back: 'm14 6-6 6 6 6',
  warning: 'M12 4 2.5 20h19Zm0 6v4.5m0 2.8v.1',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 5 5',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon in the colour of the text. It has no meaning of its own: give its button a label. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
