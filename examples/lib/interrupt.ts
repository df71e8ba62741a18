/** Aborts on SIGINT and SIGTERM; an example may abort it too. */
export function onInterrupt(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop;
}
