import { formatGo, isJsonObject, toGoJson } from 'client-ts/internal';
import { type KubernetesObject, parseApiVersion } from 'client-ts/meta';

import { printableJson } from '../frame/printable.ts';
import { Columns } from './align.ts';
import type { CustomColumn, OutputFormat } from './output-format.ts';
import { formatYaml } from './yaml.ts';

/** The formats of objects, not tables. */
export type ObjectFormat = Exclude<OutputFormat, { readonly type: 'table' }>;

/** Prints the objects of a list as they arrive. */
export interface ListPrinter {
  add(objects: readonly KubernetesObject[]): void;
  /** Completes the output: it is well-formed, also if objects are missing. */
  end(): void;
}

/** Options of object printers. */
export interface ObjectPrinterOptions {
  readonly headers: boolean;
}

/** Formats one object. */
export function formatObject(
  object: KubernetesObject,
  format: ObjectFormat,
  options: ObjectPrinterOptions,
): string {
  switch (format.type) {
    case 'json':
      return `${formatJson(object)}\n`;
    case 'yaml':
      return formatYaml(object);
    case 'name':
      return `${qualifiedName(object)}\n`;
    case 'jsonpath':
      return formatFound(format, object);
    case 'custom-columns':
      return formatColumns([object], format.columns, options);
  }
}

/** Prints many objects, as a `v1 List` where the format has one. */
export function listPrinter(
  format: ObjectFormat,
  write: (text: string) => void,
  options: ObjectPrinterOptions,
): ListPrinter {
  switch (format.type) {
    case 'json':
      return jsonList(write);
    case 'yaml':
      return yamlList(write);
    case 'name':
      return {
        add: (objects) => {
          for (const object of objects) write(`${qualifiedName(object)}\n`);
        },
        end: () => undefined,
      };
    case 'jsonpath':
      return gathered((items) => write(formatFound(format, listOf(items))));
    case 'custom-columns':
      return gathered((items) => write(formatColumns(items, format.columns, options)));
  }
}

/** Formats JSON as kubectl does, escaped for terminals. */
export function formatJson(value: unknown, margin = ''): string {
  return printableJson(toGoJson(value, { indent: 4, margin }));
}

/** `deployment.apps/web`: kind, group and name. */
export function qualifiedName({ apiVersion = '', kind = '', metadata }: KubernetesObject): string {
  const { group } = parseApiVersion(apiVersion);
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return `${type}/${metadata?.name ?? '<unknown>'}`;
}

function listOf(items: readonly KubernetesObject[]): object {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}

function gathered(print: (items: readonly KubernetesObject[]) => void): ListPrinter {
  const items: KubernetesObject[] = [];
  return {
    add: (objects) => {
      for (const object of objects) items.push(object);
    },
    end: () => print(items),
  };
}

/** Streams the list, without holding it in memory. */
function jsonList(write: (text: string) => void): ListPrinter {
  const margin = ' '.repeat(8);
  let isFirst = true;
  write('{\n    "apiVersion": "v1",\n    "items": [');
  return {
    add: (objects) => {
      for (const object of objects) {
        write(`${isFirst ? '' : ','}\n${margin}${formatJson(object, margin)}`);
        isFirst = false;
      }
    },
    end: () => {
      const metadata = '"metadata": {\n        "resourceVersion": ""\n    }';
      write(`${isFirst ? '' : '\n    '}],\n    "kind": "List",\n    ${metadata}\n}\n`);
    },
  };
}

function yamlList(write: (text: string) => void): ListPrinter {
  let isFirst = true;
  write('apiVersion: v1\n');
  return {
    add: (objects) => {
      if (objects.length === 0) return;
      write(`${isFirst ? 'items:\n' : ''}${formatYaml(objects)}`);
      isFirst = false;
    },
    end: () =>
      write(`${isFirst ? 'items: []\n' : ''}kind: List\nmetadata:\n  resourceVersion: ""\n`),
  };
}

function formatFound(
  { path, asJson }: Extract<ObjectFormat, { type: 'jsonpath' }>,
  object: object,
): string {
  if (!asJson) return path.execute(object);
  return path
    .findResults(object)
    .map((values) => `${formatJson(values)}\n`)
    .join('');
}

function formatColumns(
  objects: readonly KubernetesObject[],
  columns: readonly CustomColumn[],
  { headers }: ObjectPrinterOptions,
): string {
  const rows = objects.map((object) =>
    columns.map(({ path }) => {
      const found = path.findResults(object).flat();
      return found.length === 0 ? '<none>' : found.map(formatGo).join(',');
    }),
  );
  const headings = columns.map(({ heading }) => heading);
  const lines = new Columns().align(headers ? [headings, ...rows] : rows);
  return lines.map((line) => `${line}\n`).join('');
}

/** Removes managed fields, which are long and rarely of interest. */
export function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
