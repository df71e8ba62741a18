import { getKey } from 'client-ts/internal';
import { UsageError } from '../frame/usage-error.ts';

const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  kib: 2 ** 10,
  kb: 1e3,
  m: 2 ** 20,
  mib: 2 ** 20,
  mb: 1e6,
  g: 2 ** 30,
  gib: 2 ** 30,
  gb: 1e9,
  t: 2 ** 40,
  tib: 2 ** 40,
  tb: 1e12,
};

/** Parses a number of bytes: `500MB`, `2GiB`, `4096`. Throws {@link UsageError} naming the flag. */
export function parseSize(flag: string, text: string): number;
export function parseSize(flag: string, text: string | undefined): number | undefined;
export function parseSize(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  const factor = getKey(units, unit.toLowerCase());
  if (number === undefined || factor === undefined) {
    throw new UsageError(`${flag} must be a size such as 500MB or 2GiB, not ${text}`);
  }
  return Math.floor(Number(number) * factor);
}
