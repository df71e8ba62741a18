import { printable } from '../frame/printable.ts';

/** Returns a text as one printable line. */
export function oneLine(text: string): string {
  return printable(text.trim().replaceAll(/\s+/g, ' '));
}

/** Truncates a text with an ellipsis. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < 1 ? '' : `${text.slice(0, width - 1)}…`;
}

/** Truncates or pads a text to a width. */
export function fit(text: string, width: number): string {
  return cut(text, width).padEnd(width);
}

/** `1 pod`, `2 pods`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `00:01:23`. */
export function clockTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => `${Math.floor(part)}`.padStart(2, '0'))
    .join(':');
}

/** An age in one unit: `12s`, `3m`, `2h`. */
export function shortAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

const heights = '▁▂▃▄▅▆▇█';

/**
 * A sparkline: one character per number, scaled by the square root, so that a burst does not
 * flatten the rest.
 */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers
    .map((number) =>
      heights.charAt(Math.min(heights.length - 1, Math.floor(Math.sqrt(number / most) * 8))),
    )
    .join('');
}
