import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { readYaml } from 'client-ts/yaml';
import { textAt, valueAt } from '../json/pointer.ts';
import type { RecordedCommand } from './recorded-commands.ts';

/*
 * The responses to kubectl were not recorded, but its output was. Where kubectl prints what it
 * received, the output shows what the responses contained.
 */

/** Recorded output of kubectl, and the same output made from the responses of this run. */
export interface Printed {
  readonly what: 'documents' | 'lines' | 'names';
  readonly recorded: JsonValue;
  readonly own: JsonValue;
}

/** Returns the recorded output of a command if it shows the responses, otherwise undefined. */
export function printed(
  command: RecordedCommand,
  bodies: readonly JsonValue[],
): Printed | undefined {
  // After an error, kubectl prints less than it received.
  if (command.requests.some(({ status }) => status >= 400)) return undefined;
  const tables = bodies.filter((body) => valueAt(body, '/kind') === 'Table') as JsonObject[];
  const output = / -o (\S+)/.exec(command.command)?.[1] ?? '';
  const isGet = / get (?!--raw)/.test(command.command);
  if (isGet && tables.length > 0 && (output === '' || output === 'wide')) {
    const own = tableLines(tables, command.command);
    // For several kinds, kubectl prints the kind before the name, which a Table does not have.
    const shown = linesOf(command.stdout);
    const isAll = / get all\b/.test(command.command);
    const recorded = isAll ? shown.map((line) => line.replace(/^[a-z.]+\//, '')) : shown;
    // What a watch adds depends on other clients.
    const isWatch = /\s(?:-w|--watch-only)\b/.test(command.command);
    if (isWatch && command.stdout.startsWith('EVENT')) return undefined;
    return { what: 'lines', recorded: isWatch ? recorded.slice(0, own.length) : recorded, own };
  }
  const objects = bodies.filter((body) => textAt(body, '/metadata/uid') !== '');
  if (isGet && (output === 'json' || output === 'yaml')) {
    const document = readYaml(command.stdout);
    const recorded = (valueAt(document, '/items') ?? [document]) as JsonValue;
    return { what: 'documents', recorded, own: objects.map(asPrinted) };
  }
  if (/ edit /.test(command.command)) {
    const recorded = [readYaml(command.stderr ?? '')];
    return { what: 'documents', recorded, own: objects.slice(-1).map(asPrinted) };
  }
  if (isGet && output === 'name') {
    const items = bodies.flatMap((body) => (valueAt(body, '/items') ?? []) as JsonValue[]);
    const own = items.map((item) => textAt(item, '/metadata/name'));
    const recorded = linesOf(command.stdout).map((line) => line.split('/')[1] ?? '');
    return items.length === 0 ? undefined : { what: 'names', recorded, own };
  }
  return undefined;
}

/** kubectl omits managed fields by default. */
function asPrinted(body: JsonValue): JsonValue {
  if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return body;
  const { managedFields: _, ...metadata } = body['metadata'];
  return { ...body, metadata };
}

/** An age in years keeps growing after the recording. */
const YEARS = /\b\d+y(?:\d+d)?\b/g;

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').replaceAll(YEARS, '<age>').trim())
    .filter((line) => line !== '');
}

/** Prints Tables like kubectl, without the padding; later pages continue the first. */
function tableLines(tables: readonly JsonObject[], command: string): string[] {
  const isWide = command.includes(' -o wide');
  const isAll = / get all\b/.test(command);
  const label = / -L (\S+)/.exec(command)?.[1];
  const extra: ((row: JsonValue) => string)[] = [];
  const extraNames: string[] = [];
  if (label !== undefined) {
    extraNames.push(label.toUpperCase());
    extra.push((row) => textAt(row, `/object/metadata/labels/${label}`));
  }
  if (command.includes('--show-labels')) {
    extraNames.push('LABELS');
    extra.push((row) => labelsOf(row));
  }
  return tables.flatMap((table, page) => {
    const columns = ((valueAt(table, '/columnDefinitions') ?? []) as JsonObject[])
      .map((column, index) => ({ column, index }))
      .filter(({ column }) => isWide || column['priority'] === 0);
    const rows = (valueAt(table, '/rows') ?? []) as JsonValue[];
    const header = columns.map(({ column }) => textAt(column, '/name').toUpperCase());
    const namespace = command.includes(' -A') ? ['NAMESPACE'] : [];
    const lines = rows.map((row) => [
      ...namespace.map(() => textAt(row, '/object/metadata/namespace')),
      ...columns.map(({ index }) => cellText(valueAt(row, `/cells/${index}`))),
      ...extra.map((value) => value(row)),
    ]);
    const isContinued = !isAll && page > 0;
    const heads =
      isContinued || rows.length === 0 ? [] : [[...namespace, ...header, ...extraNames]];
    return [...heads, ...lines].map((cells) => linesOf(cells.join(' '))[0] ?? '');
  });
}

function labelsOf(row: JsonValue): string {
  const labels = Object.entries((valueAt(row, '/object/metadata/labels') ?? {}) as JsonObject);
  return labels.length === 0
    ? '<none>'
    : labels.map(([key, value]) => `${key}=${cellText(value)}`).join(',');
}

function cellText(cell: unknown): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell ?? null);
}
