import type { Logger } from '../lib/logger.ts';
import type { WarningHandler } from '../transport/config.ts';
import type { TransportHeaders } from '../transport/transport.ts';

/** A warning that came with an answer. */
export interface Warning {
  readonly code: number;
  /** Who warns; `-` from most servers. */
  readonly agent: string;
  readonly text: string;
}

/** One `warn-code agent "text" ["date"]`; the text may have escaped quotes. */
const WARNING = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/y;

/**
 * The warnings in the headers of an answer. One header may hold several; what does not follow the
 * form ends the reading of that header, because nothing after it can be trusted.
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

/** Passes on what is meant for people: code 299, with a text. */
export function reportWarnings(warnings: readonly Warning[], handler: WarningHandler): void {
  for (const { code, agent, text } of warnings) {
    if (code === 299 && text !== '') handler({ text, agent });
  }
}

/** After so many different texts the memory starts over, so that it cannot grow without end. */
const REMEMBERED_TEXTS = 1000;

/** Returns the default handler: it logs each text once. */
export function warnOnce(logger: Logger): WarningHandler {
  const seen = new Set<string>();
  return ({ text }) => {
    if (seen.has(text)) return;
    if (seen.size >= REMEMBERED_TEXTS) seen.clear();
    seen.add(text);
    logger.warn(`the server warns: ${text}`);
  };
}
