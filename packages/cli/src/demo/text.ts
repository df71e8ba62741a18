import { printable } from '../frame/printable.ts';

/** A text in one line: line ends and tabs become blanks, and what a terminal would act on is shown. */
export function oneLine(text: string): string {
  return printable(text.trim().replaceAll(/\s+/g, ' '));
}

/** Cuts a text that is too long, and says so. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < 1 ? '' : `${text.slice(0, width - 1)}…`;
}

/** As wide as asked for: cut, or filled up with blanks. */
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

/** How long ago, in one number: `12s`, `3m`, `2h`. */
export function shortAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

const heights = '▁▂▃▄▅▆▇█';

/**
 * A small chart: one character for each number, the highest as high as can be. Heights go with the
 * square root, so that a single burst does not make everything else look like nothing.
 */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers
    .map((number) =>
      heights.charAt(Math.min(heights.length - 1, Math.floor(Math.sqrt(number / most) * 8))),
    )
    .join('');
}
