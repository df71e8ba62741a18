import { type ClientError, errorChain } from './errors.ts';

/** After so many different messages the memory starts over, so that it cannot grow without end. */
const REMEMBERED_MESSAGES = 1000;

/**
 * Where errors go for which a program has set no listener: each message becomes one process warning,
 * with its cause. Node prints it to stderr; `--no-warnings` and `process.on('warning')` apply.
 */
export function warnUnheard(): (error: ClientError) => void {
  const seen = new Set<string>();
  return (error) => {
    const { code, message, name } = error;
    if (seen.has(message)) return;
    if (seen.size >= REMEMBERED_MESSAGES) seen.clear();
    seen.add(message);
    const [, ...causes] = errorChain(error);
    const detail = causes.map((cause) => (cause instanceof Error ? cause.stack : String(cause)));
    process.emitWarning(message, { type: name, code, detail: detail.join('\n') });
  };
}
