import type { Logger } from './logger.ts';

/** Returns a logger that keeps its lines: `warn connection refused`. */
export function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const method = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return {
    lines,
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  };
}
