import type { Loop, LoopField } from './loop-detector.ts';

/** Fields whose text may be shown. Others may hold passwords or data. */
const SHOWN: ReadonlySet<string> = new Set([
  'image',
  'phase',
  'reason',
  'schedule',
  'status',
  'type',
]);

const MAX_TEXT = 80;
const MAX_FIELDS = 3;

/**
 * Describes a loop: the fields, their values and who wrote them. Numbers and booleans are shown, text
 * only of fields such as `image` and `phase`, and nothing of Secrets.
 */
export function describeLoop({ kind, count, fields }: Loop): string {
  const shown = fields.slice(0, MAX_FIELDS).map((field) => describeField(kind, field));
  const more = fields.length > MAX_FIELDS ? ` and ${fields.length - MAX_FIELDS} more fields` : '';
  const list = `${shown.join('; ')}${more}`;
  return kind === 'hot-loop'
    ? `hot loop: its reconciles cause each other, and the last ${count} wrote nothing but ${list}`
    : `fight with another writer: ${list}, ${count} times`;
}

/** Returns the field managers that write the fields. */
export function writersOf({ fields }: Loop): readonly string[] {
  return [...new Set(fields.flatMap(({ writers }) => writers.flatMap((writer) => writer ?? [])))];
}

function describeField(kind: Loop['kind'], field: LoopField): string {
  const { object, path, writers } = field;
  const [own, other] = writers;
  const values = describeValues(field);
  const what = path === '' ? object : `${path} of ${object}`;
  const who =
    kind === 'hot-loop'
      ? ''
      : `, written by ${quoted(own)} and ${other === undefined ? 'another writer' : quoted(other)}`;
  return `${what}${values}${who}`;
}

function describeValues({ object, path, values: [first, second] }: LoopField): string {
  if (object.startsWith('secrets ')) return '';
  if (path === '') return isWord(first) && isWord(second) ? `: ${first} ↔ ${second}` : '';
  const [left, right] = [textOf(path, first), textOf(path, second)];
  return left === undefined || right === undefined ? '' : `: ${left} ↔ ${right}`;
}

/** `created` and `deleted`, and no version. */
function isWord(value: string | undefined): boolean {
  return value !== undefined && /^[a-z]+$/.test(value);
}

/** Returns a value as it may be shown; undefined if it may not. */
function textOf(path: string, value: string | undefined): string | undefined {
  if (value === undefined) return 'absent';
  if (/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(value)) return value;
  const name = /[^.[\]]*$/.exec(path)?.[0] ?? '';
  return SHOWN.has(name) && value.startsWith('"') && value.length <= MAX_TEXT ? value : undefined;
}

function quoted(writer: string | undefined): string {
  return writer === undefined ? 'this controller' : JSON.stringify(writer);
}
