import type { CommandContext } from './context.ts';
import { printable } from './printable.ts';

/** Nobody wants to read about what is done within a second. */
const patienceMs = 1000;

/**
 * Waits for something that may take long, and says so on standard error once a second has passed:
 * in a line that counts the seconds and goes away on a terminal, in one plain line elsewhere.
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
