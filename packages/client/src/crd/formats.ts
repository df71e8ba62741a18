import { getKey } from '../lib/json.ts';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The formats of strings that are checked before the server does, by name without dashes. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  date: isDate,
  datetime: isDateTime,
  uuid: (text) => UUID.test(text),
};

/** True if a text has the format. Formats that only servers check are true. */
export function matchesFormat(text: string, format: string): boolean {
  return getKey(formats, format.replaceAll('-', ''))?.(text) ?? true;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  const [, hour = '', minute = '', second = ''] = parts ?? [];
  return isDate(date) && parts !== null && hour <= '23' && minute <= '59' && second <= '59';
}
