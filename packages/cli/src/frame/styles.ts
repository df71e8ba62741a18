import type { Output } from './context.ts';

/** Styles a text, or returns it unchanged. */
export type Style = (text: string) => string;

/** The styles that commands use. */
export interface Styles {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly blue: Style;
  readonly cyan: Style;
}

const on: Styles = {
  bold: sequence(1, 22),
  dim: sequence(2, 22),
  red: sequence(31, 39),
  green: sequence(32, 39),
  yellow: sequence(33, 39),
  blue: sequence(34, 39),
  cyan: sequence(36, 39),
};

const plain: Style = (text) => text;

const off: Styles = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  blue: plain,
  cyan: plain,
};

/** The styles for a stream: no-ops without colours. */
export function stylesFor({ colors }: Pick<Output, 'colors'>): Styles {
  return colors ? on : off;
}

function sequence(open: number, close: number): Style {
  return (text) => `\u001B[${open}m${text}\u001B[${close}m`;
}
