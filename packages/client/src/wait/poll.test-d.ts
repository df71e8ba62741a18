/** Type tests of `pollUntil`; the build compiles them. */
import { pollUntil } from './poll.ts';

export async function tests(find: () => Promise<string | undefined>): Promise<void> {
  (await pollUntil(find, { intervalMs: 10 })) satisfies string;
  (await pollUntil((signal) => signal.aborted, { intervalMs: 10 })) satisfies true;
  (await pollUntil((signal) => (signal.aborted ? null : 3), { intervalMs: 10 })) satisfies number;
  // @ts-expect-error an interval must be given
  await pollUntil(find, { timeoutMs: 10 });
}
