import type { Logger } from '../lib/logger.ts';
import type { WarningHandler } from '../transport/config.ts';
import type { TransportHeaders } from '../transport/transport.ts';

/** A warning in the headers of a response. */
export interface Warning {
  readonly code: number;
  /** The name of the sender; `-` from most servers. */
  readonly agent: string;
  readonly text: string;
}

/** One `warn-code agent "text" ["date"]`; the text may contain escaped quotes. */
const WARNING = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/y;

/**
 * Returns the warnings in the headers of a response. One header may hold several; the first that is
 * malformed ends the header, because nothing after it can be trusted.
 */
export function parseWarnings(headers: TransportHeaders): Warning[] {
  const header = headers['warning'];
  if (header === undefined) return [];
  const warnings: Warning[] = [];
  for (const value of typeof header === 'string' ? [header] : header) {
    WARNING.lastIndex = 0;
    for (let match = WARNING.exec(value); match !== null; match = WARNING.exec(value)) {
      const [, code = '', agent = '', text = ''] = match;
      warnings.push({ code: Number(code), agent, text: text.replaceAll(/\\(.)/g, '$1') });
      if (WARNING.lastIndex >= value.length) break;
    }
  }
  return warnings;
}

/** Calls the handler for warnings that are meant for people: code 299, with a text. */
export function reportWarnings(warnings: readonly Warning[], handler: WarningHandler): void {
  for (const { code, agent, text } of warnings) {
    if (code === 299 && text !== '') handler({ text, agent });
  }
}

/** The memory of texts is cleared at this size, so that it stays bounded. */
const REMEMBERED_TEXTS = 1000;

/** Returns the default handler, which logs each text once. */
export function warnOnce(logger: Logger): WarningHandler {
  const seen = new Set<string>();
  return ({ text }) => {
    if (seen.has(text)) return;
    if (seen.size >= REMEMBERED_TEXTS) seen.clear();
    seen.add(text);
    logger.warn(`the server warns: ${text}`, { event: 'server.warning' });
  };
}
