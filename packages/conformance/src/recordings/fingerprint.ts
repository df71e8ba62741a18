import { createHash } from 'node:crypto';
import { isJsonObject } from 'client-ts/internal';
import type { Difference } from './difference.ts';
import { inOwnOrder } from './order.ts';

/** Maps the path of a difference to a short text of the recorded and the actual value. */
export type Fingerprint = Readonly<Record<string, string>>;

/** The key that counts and hashes the paths beyond {@link MAX_PATHS}. */
const REST = '…';
const MAX_PATHS = 12;
const LONGEST_TEXT = 72;
const KEPT_TEXT = 48;

/** `/version` names the machine of the server. */
const PLATFORM = '/response/body/platform';

/**
 * Returns the differences of one exchange in a form that is the same in every run: volatile values
 * are replaced, long ones are cut and hashed, paths are sorted.
 */
export function fingerprint(differences: readonly Difference[]): Fingerprint {
  const byPath = new Map<string, string>();
  for (const found of differences) {
    if (found.path === PLATFORM) continue;
    const earlier = byPath.get(found.path);
    byPath.set(found.path, `${earlier === undefined ? '' : `${earlier}; `}${describe(found)}`);
  }
  const lines = [...byPath].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  if (lines.length <= MAX_PATHS) return Object.fromEntries(lines);
  const rest = lines.slice(MAX_PATHS);
  return {
    ...Object.fromEntries(lines.slice(0, MAX_PATHS)),
    [REST]: `${rest.length} more #${hash(JSON.stringify(rest))}`,
  };
}

function describe({ path, expected, got, wanted }: Difference): string {
  const key = path.split('/').at(-1) ?? '';
  if (wanted === undefined) return `${brief(key, expected)} → ${brief(key, got)}`;
  // Values that are compared by a rule differ in every run; only the rule is stable.
  const rule = wanted.replace(/(?:, which was|; this one stood for|unchanged,|asked for,) .*$/, '');
  const presence = (value: unknown): string => (value === undefined ? '(absent)' : '(present)');
  return `${presence(expected)} → ${presence(got)}, wanted: ${stable(rule)}`;
}

function brief(key: string, value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = stable(typeof value === 'string' ? canonicalLines(value) : canonical(key, value));
  const shown = text.replaceAll('"', "'").replaceAll('\n', '⏎');
  const quoted = (part: string): string => (typeof value === 'string' ? `'${part}'` : part);
  if (shown.length <= LONGEST_TEXT) return quoted(shown);
  return `${quoted(`${shown.slice(0, KEPT_TEXT)}…`)} #${hash(text)}`;
}

/** Serializes a value; the order of managed fields depends on the second in which they changed. */
function canonical(key: string, value: unknown): string {
  return JSON.stringify(value, (step, item: unknown) =>
    (step === '' ? key : step) === 'managedFields' && Array.isArray(item)
      ? inOwnOrder(item.map(withoutTime))
      : item,
  );
}

function withoutTime(entry: unknown): unknown {
  return isJsonObject(entry) && entry['time'] !== undefined ? { ...entry, time: '' } : entry;
}

/** The same for text that consists of JSON, such as the frames of a watch. */
function canonicalLines(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    return text
      .split('\n')
      .map((line) => (line === '' ? '' : canonical('', JSON.parse(line))))
      .join('\n');
  } catch {
    return text;
  }
}

const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/("resourceVersion\\*":\s?\\*")\d+/g, '$1<version>'],
  [/hash=[0-9A-F]{128}/g, 'hash=<hash>'],
  // The age in a cell of a Table.
  [/"\d+(?:s|m|h|d)"/g, '"<age>"'],
];

function stable(text: string): string {
  return VOLATILE.reduce((all, [pattern, as]) => all.replaceAll(pattern, as), text);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
