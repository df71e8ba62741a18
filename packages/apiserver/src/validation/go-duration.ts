import { quoteGo } from 'client-ts/lib';

const UNITS = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h']);

/** The words for what is wrong with a duration such as `1h30m`; none if it can be read. */
export function durationProblem(text: string): string | undefined {
  const invalid = `time: invalid duration ${quoteGo(text)}`;
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return undefined;
  if (rest === '') return invalid;
  while (rest !== '') {
    const [number = ''] = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)/.exec(rest) ?? [];
    if (number === '') return invalid;
    rest = rest.slice(number.length);
    const [unit = ''] = /^[^0-9.]*/.exec(rest) ?? [];
    if (unit === '') return `time: missing unit in duration ${quoteGo(text)}`;
    if (!UNITS.has(unit)) {
      return `time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`;
    }
    rest = rest.slice(unit.length);
  }
  return undefined;
}
