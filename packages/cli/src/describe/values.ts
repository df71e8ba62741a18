import { isJsonObject } from 'client-ts/internal';
import {
  getControllerOf,
  humanDuration,
  type KubernetesObject,
  type LabelSelector,
  labelSelectorAsSelector,
  normalizeQuantity,
  parseTime,
} from 'client-ts/meta';

import { printableLines } from '../frame/printable.ts';
import { align, field, flat, type Lines, multiline } from './lines.ts';

/** A part of an object of a server, which may have left out anything, without nulls. */
export type Loose<T> = T extends boolean | number | string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Loose<NonNullable<Item>>[]
    : { readonly [Key in keyof T]?: Loose<NonNullable<T[Key]>> | undefined };

/** An object of a server, which may have left out anything, without nulls. */
export type LooseObject<T extends KubernetesObject> = Loose<Omit<T, keyof KubernetesObject>> &
  KubernetesObject;

/** Leaves out what is null, which means the same as nothing. */
export function withoutNulls<T>(value: T): Loose<T> & T {
  return strip(value) as Loose<T> & T;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [key, strip(member)]));
}

/** Values by name: labels, annotations, resources. */
export type Names<T = string> = Readonly<Record<string, T | undefined>>;

/** Returns the text of lines, escaped for terminals. */
export function aligned(lines: Lines): string {
  return align(flat(lines).map(printableLines));
}

/** Entries in the order of their names. */
export function sorted<T>(names: Names<T> | undefined): [string, T][] {
  return Object.entries(names ?? {})
    .filter((entry): entry is [string, T] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Name and namespace. */
export function identity({ metadata }: KubernetesObject): Lines {
  return [field('Name', metadata?.name), field('Namespace', metadata?.namespace)];
}

/** Labels and annotations. */
export function labelsAndAnnotations({ metadata }: KubernetesObject): Lines {
  return [labels('Labels', metadata?.labels), annotations('Annotations', metadata?.annotations)];
}

/** `key=value`, one per line. */
export function labels(label: string, values: Names | undefined): Lines {
  return multiline(
    label,
    sorted(values).map(([key, value]) => `${key}=${value}`),
  );
}

/** `key=value,key=value`. */
export function formatLabels(values: Names | undefined): string {
  return orNone(
    sorted(values)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  );
}

/** What `kubectl apply` writes for itself. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const longestAnnotation = 140;

/** `key: value`, one per line; long values are shortened, and begin on a line of their own. */
export function annotations(label: string, values: Names | undefined): Lines {
  const shown = sorted(values).filter(([key]) => key !== lastApplied);
  return multiline(
    label,
    shown.flatMap(([key, written]) => {
      const value = written.endsWith('\n') ? written.slice(0, -1) : written;
      const length = Buffer.byteLength(value) + Buffer.byteLength(key) + 2;
      if (length <= longestAnnotation && !value.includes('\n')) return [`${key}: ${value}`];
      const lines = value.split('\n').map((line) => `  ${shortened(line, longestAnnotation - 2)}`);
      return [`${key}:`, ...lines];
    }),
  );
}

/** Bytes are counted, and a character is not cut. */
export function shortened(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return `${Buffer.from(text)
    .subarray(0, most)
    .toString()
    .replace(/\uFFFD+$/, '')}...`;
}

/** A selector: `app=web,tier in (a,b)`; `<none>` if it selects everything. */
export function formatSelector(selector: Loose<LabelSelector> | undefined): string {
  return orNone(selectorText(selector));
}

/** A selector as a request has it; empty if it selects everything. */
export function selectorText(selector: Loose<LabelSelector> | undefined): string {
  return labelSelectorAsSelector(selector as LabelSelector | undefined).toString();
}

/** `Kind/name` of the controller; undefined without one. */
export function controllerOf(object: KubernetesObject): string | undefined {
  const owner = getControllerOf(object);
  return owner === undefined ? undefined : `${owner.kind}/${owner.name}`;
}

/** A quantity in its canonical form. */
export function quantity(value: number | string | undefined): string {
  return value === undefined ? '0' : normalizeQuantity(value);
}

/** Quantities, one per line. */
export function quantities(values: Names<number | string> | undefined): Lines {
  return sorted(values).map(([name, value]) => field(name, quantity(value)));
}

/** `<none>` for nothing. */
export function orNone(text: string | undefined): string {
  return text === undefined || text === '' ? '<none>' : text;
}

/** `<unset>` for nothing. */
export function orUnset(value: number | string | undefined): string {
  return value === undefined ? '<unset>' : String(value);
}

/** `True` and `False`. */
export function yesOrNo(value: boolean | undefined): string {
  return value === true ? 'True' : 'False';
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** Go's zero time, which stands for none. */
const noTime = '0001-01-01T00:00:00Z';

/** A time in the zone of this machine: `Mon, 02 Jan 2006 15:04:05 -0700`. */
export function localTime(time: string | undefined): string {
  const date = new Date(parseTime(time ?? noTime));
  // Zones of the year 1 are not those of today.
  if (time === undefined) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const day = `${weekdays[date.getDay()]}, ${two(date.getDate())} ${months[date.getMonth()]}`;
  return `${day} ${date.getFullYear()} ${timeOfDay(date)} ${offsetOf(date)}`;
}

/** A time as Go prints it: `2006-01-02 15:04:05 -0700 MST`. */
export function goTime(time: string | undefined): string {
  if (time === undefined) return '0001-01-01 00:00:00 +0000 UTC';
  const date = new Date(parseTime(time));
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts(date);
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  return `${day} ${timeOfDay(date)} ${offsetOf(date)} ${zone}`;
}

function timeOfDay(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** How long ago a time was: `5m`. */
export function age(time: string | null | undefined, now: number): string {
  return time === undefined || time === null ? '<unknown>' : humanDuration(now - parseTime(time));
}
