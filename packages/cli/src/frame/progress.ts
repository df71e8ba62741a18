import type { CommandContext } from './context.ts';
import { printable } from './printable.ts';

/** The delay before progress is printed. */
const patienceMs = 1000;

/**
 * Awaits a promise, and prints progress on standard error after one second: a line with the seconds
 * that is erased on a terminal, one plain line elsewhere.
 */
export async function withProgress<T>(
  context: Pick<CommandContext, 'clock' | 'err' | 'stderr'>,
  what: string,
  work: Promise<T>,
): Promise<T> {
  const { clock, stderr } = context;
  const title = printable(what);
  const startedAt = clock.monotonic();
  let isShown = false;
  const show = (): void => {
    if (!stderr.isTTY) {
      context.err(`${title}…`);
      return;
    }
    isShown = true;
    const seconds = Math.round((clock.monotonic() - startedAt) / 1000);
    stderr.write(`\r\u001B[K${title}… ${seconds} s`);
    pending = clock.schedule(patienceMs, show, { background: true });
  };
  let pending = clock.schedule(patienceMs, show, { background: true });
  try {
    return await work;
  } finally {
    pending.cancel();
    if (isShown) stderr.write('\r\u001B[K');
  }
}
