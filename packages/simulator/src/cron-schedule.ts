/** The moments that a cron schedule names. */
export interface CronSchedule {
  /** Returns the first moment after this one, in milliseconds; undefined if there is none. */
  readonly next: (afterMs: number) => number | undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A schedule may wait for a leap day on a certain day of the week. */
const horizonMs = 41 * 366 * 24 * hourMs;

const descriptors = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/**
 * Reads a schedule that the API server has accepted: five fields, `@daily` and the like, or
 * `@every 1h30m`. Fields are compared with the time in a time zone, by default UTC.
 */
export function parseCronSchedule(text: string, timeZone?: string): CronSchedule {
  const [, zone = timeZone, pattern = text] = /^(?:CRON_)?TZ=(\S+) (.*)$/s.exec(text) ?? [];
  if (pattern.trim().startsWith('@every ')) return every(pattern.trim().slice('@every '.length));
  const parts = (descriptors.get(pattern.trim()) ?? pattern).trim().split(/\s+/);
  const [minutes, hours, days, months, weekdays] = bounds.map((bound, index) =>
    parseField(parts[index] ?? '*', bound),
  ) as [Field, Field, Field, Field, Field];
  const local = localTime(zone);
  const isDay = ({ month, day, weekday }: LocalTime): boolean => {
    if (!months.values.has(month)) return false;
    const [inMonth, inWeek] = [days.values.has(day), weekdays.values.has(weekday)];
    return days.isAny || weekdays.isAny ? inMonth && inWeek : inMonth || inWeek;
  };
  return {
    next: (afterMs) => {
      let time = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
      while (time < afterMs + horizonMs) {
        const now = local(time);
        if (!isDay(now) || !hours.values.has(now.hour)) time += (60 - now.minute) * minuteMs;
        else if (minutes.values.has(now.minute)) return time;
        else time += minuteMs;
      }
      return undefined;
    },
  };
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** True for `*` and `?`. */
  readonly isAny: boolean;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Names for numbers, starting at the minimum. */
  readonly names: readonly string[];
}

/** Minute, hour, day of month, month, day of week. */
const bounds: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { min: 0, max: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

function parseField(text: string, { min, max, names }: Bounds): Field {
  const numberOf = (name: string): number => {
    const index = names.indexOf(name.toLowerCase());
    return index < 0 ? Number(name) : min + index;
  };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/');
    const [low = '', high] = range.split('-');
    const isAll = low === '*' || low === '?';
    const start = isAll ? min : numberOf(low);
    const end = isAll || (high === undefined && step !== undefined) ? max : numberOf(high ?? low);
    for (let value = start; value <= end; value += Number(step ?? 1)) values.add(value);
  }
  return { values, isAny: text === '*' || text === '?' };
}

const units = new Map([
  ['h', hourMs],
  ['m', minuteMs],
  ['s', 1000],
]);

/** Units below a second round to nothing, as a delay of less than a second does. */
function every(duration: string): CronSchedule {
  const parts = [...duration.matchAll(/([\d.]+)(h|ms|m|s|us|µs|ns)/g)];
  const sum = parts.reduce(
    (ms, [, amount, unit = '']) => ms + Number(amount) * (units.get(unit) ?? 0),
    0,
  );
  const delay = Math.max(1000, Math.floor(sum / 1000) * 1000);
  return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + delay };
}

interface LocalTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function localTime(timeZone = 'UTC'): (timeMs: number) => LocalTime {
  if (timeZone === 'UTC' || timeZone === 'Local' || timeZone === '') return utcTime;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (timeMs) => {
    const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
    return {
      minute: Number(parts.get('minute')),
      hour: Number(parts.get('hour')),
      day: Number(parts.get('day')),
      month: Number(parts.get('month')),
      weekday: weekdayNames.indexOf(parts.get('weekday') ?? ''),
    };
  };
}

function utcTime(timeMs: number): LocalTime {
  const date = new Date(timeMs);
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
  };
}
