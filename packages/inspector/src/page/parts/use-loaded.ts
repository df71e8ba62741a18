import { useEffect, useState } from 'preact/hooks';

/** Something that is being loaded, or cannot be. */
export type Loaded<T> =
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T };

/**
 * Loads something again whenever one of `inputs` changes, and aborts what is no longer wanted. The last
 * value stays on the page until the next is there.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setLoaded({ state: 'ready', value });
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        if (!controller.signal.aborted) setLoaded({ state: 'failed', message });
      },
    );
    return () => controller.abort();
  }, inputs);
  return loaded;
}
