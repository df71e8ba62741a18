/** `1,234` as `1.2k`: three significant characters at most, so that columns stay narrow. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return '–';
  if (count < 10_000) return String(Math.round(count));
  if (count < 1_000_000) return `${short(count / 1_000)}k`;
  return `${short(count / 1_000_000)}M`;
}

/** A rate per second: `0.4/s`, `12/s`. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0/s';
  if (perSecond < 0.1) return '<0.1/s';
  return `${perSecond < 10 ? perSecond.toFixed(1) : formatCount(perSecond)}/s`;
}

/** A duration: `0.4 ms`, `12 ms`, `3.4 s`, `5m 3s`, `2h 5m`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${rest === 0 ? '' : ` ${rest}s`}`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}

/** A size: `512 B`, `1.2 KiB`, `34 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : short(value)} ${units[unit]}`;
}

/** The local time of day, with milliseconds. */
export function formatTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}
