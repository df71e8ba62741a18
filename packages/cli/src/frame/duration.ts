import { getKey } from 'client-ts/internal';
const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d)/y;

/**
 * Parses a duration as Go does (`1h30m`, `500ms`), also in days (`7d`) and as a number of seconds.
 * Returns milliseconds; undefined if invalid.
 */
export function parseDuration(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (text === '') return undefined;
  let total = 0;
  part.lastIndex = 0;
  let end = 0;
  while (end < text.length) {
    const match = part.exec(text);
    if (match === null) return undefined;
    total += Number(match[1]) * (getKey(unitMs, match[2] ?? '') ?? 0);
    end = part.lastIndex;
  }
  return total;
}

/** Formats a duration: `1m30s`, `0s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (milliseconds % 1000 !== 0) return `${milliseconds}ms`;
  let rest = milliseconds;
  let text = '';
  for (const unit of ['d', 'h', 'm', 's']) {
    const size = getKey(unitMs, unit) ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}
