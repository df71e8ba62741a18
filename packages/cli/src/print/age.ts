const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** The units up to an age: one, or two with a zero second omitted. */
const scales: readonly {
  readonly below: number;
  readonly unit: number;
  readonly sign: string;
  readonly rest?: { readonly unit: number; readonly sign: string };
}[] = [
  { below: 2 * minute, unit: second, sign: 's' },
  { below: 10 * minute, unit: minute, sign: 'm', rest: { unit: second, sign: 's' } },
  { below: 3 * hour, unit: minute, sign: 'm' },
  { below: 8 * hour, unit: hour, sign: 'h', rest: { unit: minute, sign: 'm' } },
  { below: 2 * day, unit: hour, sign: 'h' },
  { below: 8 * day, unit: day, sign: 'd', rest: { unit: hour, sign: 'h' } },
  { below: 2 * year, unit: day, sign: 'd' },
  { below: 8 * year, unit: year, sign: 'y', rest: { unit: day, sign: 'd' } },
  { below: Number.POSITIVE_INFINITY, unit: year, sign: 'y' },
];

/** Formats an age in milliseconds as kubectl does, with about two digits. */
export function formatAge(milliseconds: number): string {
  // Clocks differ: slightly in the future is now, more is invalid.
  if (milliseconds < -2 * second) return '<invalid>';
  const age = Math.max(0, Math.floor(milliseconds / second) * second);
  const scale = scales.find(({ below }) => age < below);
  if (scale === undefined) return '<unknown>';
  const { unit, sign, rest } = scale;
  const whole = `${Math.floor(age / unit)}${sign}`;
  const left = rest === undefined ? 0 : Math.floor((age % unit) / rest.unit);
  return left === 0 ? whole : `${whole}${left}${rest?.sign}`;
}
