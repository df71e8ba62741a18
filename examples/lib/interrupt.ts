/** Aborts when the program is asked to end, by Ctrl-C or otherwise; an example may do it too. */
export function onInterrupt(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop;
}
