import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** The views, in the order of their shortcuts. */
export const VIEWS = ['overview', 'informers', 'queues', 'requests', 'timeline'] as const;

/** A view of the page. */
export type ViewName = (typeof VIEWS)[number];

/** What the address says after `#/`: a view, and what is selected in it. */
export interface Route {
  readonly view: ViewName;
  readonly parts: readonly string[];
}

const current: Signal<Route> = signal<Route>({ view: 'overview', parts: [] });

/** What is shown. */
export const route: ReadonlySignal<Route> = current;

/** Reads `#/queues/site/default%2Fweb`; the overview if it names no view. */
export function parseRoute(hash: string): Route {
  const [name = '', ...parts] = hash.replace(/^#\/?/, '').split('/').map(decode);
  const view = VIEWS.find((candidate) => candidate === name);
  return view === undefined ? { view: 'overview', parts: [] } : { view, parts };
}

/** The address of a view and what is selected in it. */
export function href(view: ViewName, ...parts: readonly string[]): string {
  return `#/${[view, ...parts].map(encodeURIComponent).join('/')}`;
}

/** Shows a view, as a click on its link does. */
export function go(view: ViewName, ...parts: readonly string[]): void {
  location.hash = href(view, ...parts);
}

/** Follows the address of the page. */
export function followAddress(): void {
  const read = (): void => {
    current.value = parseRoute(location.hash);
  };
  addEventListener('hashchange', read);
  read();
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // An address that a person has typed.
    return part;
  }
}
